import { modelServer } from "@tenrec/testkit";
import { listen } from "@tenrec/testkit/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compatibleModel } from "./compatible-model.ts";

const script = { model: "local", steps: [{ say: [{ text: "Hello." }] }] };
let server: Awaited<ReturnType<typeof listen>>;

beforeAll(async () => {
  server = await listen(modelServer([script], { apiKey: "right" }));
});
afterAll(() => server.close());

const ask = (path: string, apiKey?: string): ReturnType<typeof compatibleModel> =>
  compatibleModel({ baseUrl: `${server.url}${path}`, apiKey });

test("is the first one that the endpoint lists", async () => {
  expect(await ask("/v1", "right")).toEqual({ name: "local" });
  expect(await ask("/v1/", "right")).toEqual({ name: "local" });
});

test.each([
  ["a wrong key", () => ask("/v1", "wrong"), /refused the key \(401\). Check OPENAI_API_KEY/],
  ["a wrong path", () => ask("", "right"), /status 404. OPENAI_BASE_URL should end in \/v1/],
  ["nobody there", () => compatibleModel({ baseUrl: "http://127.0.0.1:1/v1", apiKey: undefined }), /cannot be reached/],
  ["no address", () => compatibleModel({ baseUrl: "localhost", apiKey: undefined }), /cannot be reached/],
])("says what to do about %s", async (_name, run, expected) => {
  expect(await run()).toEqual({ problem: expect.stringMatching(expected) });
});
