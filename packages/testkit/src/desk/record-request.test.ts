import { expect, test } from "vitest";
import { modelServer } from "../model-server.ts";
import { KEPT_REQUESTS, requestLog } from "./record-request.ts";

const request = (n: number): { path: string; headers: object & Record<string, string>; body: number } => ({
  path: "/",
  headers: {},
  body: n,
});

test("of each model the newest requests are kept, in their order", () => {
  const log = requestLog();
  const { requests } = log;
  log.add(request(-1))({ model: "quiet" });
  for (let n = 0; n < KEPT_REQUESTS + 50; n += 1) log.add(request(n))({ model: "busy" });
  expect(requests.filter(({ model }) => model === "quiet")).toHaveLength(1);
  const busy = requests.filter(({ model }) => model === "busy").map(({ body }) => body);
  expect(busy).toEqual(Array.from({ length: KEPT_REQUESTS }, (_, n) => n + 50));
});

test("requests whose model was never known are capped too, and what comes late is dropped", () => {
  const log = requestLog();
  const late = log.add(request(0));
  for (let n = 1; n <= KEPT_REQUESTS; n += 1) log.add(request(n));
  late({ model: "late", step: 1 });
  expect(log.requests).toHaveLength(KEPT_REQUESTS);
  expect(log.requests.filter(({ model }) => model === "late")).toEqual([]);
});

test("a server answers more requests than it remembers", async () => {
  const server = modelServer({ model: "m", steps: [{ when: { prompt: { includes: "" } }, say: [{ text: "ok" }] }] });
  const before = server.requests;
  for (let n = 0; n < KEPT_REQUESTS + 5; n += 1) {
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: `number ${n}` }] });
    const response = await server.fetch(new Request("http://x/v1/chat/completions", { method: "POST", body }));
    expect(response.status).toBe(200);
  }
  expect(before).toBe(server.requests);
  expect(server.requests).toHaveLength(KEPT_REQUESTS);
  expect(server.requests.at(-1)).toMatchObject({ model: "m", step: 0 });
  expect(JSON.stringify(server.requests[0]?.body)).toContain("number 5");
});
