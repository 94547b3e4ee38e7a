import { expect, test } from "vitest";
import { type LoaderIdentity, loaderId } from "./loader-id.ts";

const IDENTITY: LoaderIdentity = {
  object: "object",
  session: "session",
  modules: "hash",
  compatibility: { date: "2026-01-31", flags: ["nodejs_compat"] },
  env: [{ SECRET: "a" }, { kv: ["KV"] }],
  egress: "none",
};

test("the same app has the same id", async () => {
  expect(await loaderId(structuredClone(IDENTITY))).toBe(await loaderId(IDENTITY));
  expect(await loaderId(IDENTITY)).toMatch(/^[0-9a-f]{64}$/);
});

test.each<[string, Partial<LoaderIdentity>]>([
  ["object", { object: "other" }],
  ["session", { session: "other" }],
  ["object and session that look alike together", { object: "objectsession", session: "" }],
  ["module", { modules: "other" }],
  ["date", { compatibility: { date: "2026-02-01", flags: ["nodejs_compat"] } }],
  ["flag", { compatibility: { date: "2026-01-31", flags: [] } }],
  ["secret", { env: [{ SECRET: "b" }, { kv: ["KV"] }] }],
  ["binding", { env: [{ SECRET: "a" }, { kv: ["KV", "MORE"] }] }],
  ["policy for the network", { egress: "all" }],
])("another %s is another id", async (_, change) => {
  expect(await loaderId({ ...IDENTITY, ...change })).not.toBe(await loaderId(IDENTITY));
});
