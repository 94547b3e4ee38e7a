import { expect, test } from "vitest";
import { resolveNames } from "../local/resolve-names.ts";
import { nameResolver } from "./name-resolver.ts";

test("the Worker and the process that started it understand each other", async () => {
  const resolve = nameResolver({ fetch: (url) => resolveNames({ url }) });
  expect(await resolve("127.0.0.1")).toEqual(["127.0.0.1"]);
  expect(await resolve("a&name=127.0.0.1")).toEqual([]);
});

test("without what looks up names, none is found", async () => {
  await expect(nameResolver(undefined)("example.com")).rejects.toThrow("TENREC_NAMES is not set");
});
