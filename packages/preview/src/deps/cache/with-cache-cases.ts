import type { ExpectStatic } from "vitest";
import type { DependencyCache } from "./dependency-cache.ts";

/** What every cache does. */
export async function checkCache(create: (maxBytes: number) => DependencyCache, expect: ExpectStatic): Promise<void> {
  const cache = create(4_000_000);
  expect(await cache.get("a")).toBeUndefined();
  // Larger than a row of a deployed object.
  const large = Uint8Array.from({ length: 3_500_000 }, (_, index) => index % 251);
  await cache.put("large", large.slice());
  await cache.put("empty", new Uint8Array());
  expect(await cache.get("large")).toEqual(large);
  expect(await cache.get("empty")).toEqual(new Uint8Array());
  await cache.put("empty", Uint8Array.of(1));
  expect(await cache.get("empty")).toEqual(Uint8Array.of(1));
  // What is too large for the cache changes nothing in it.
  await cache.put("huge", new Uint8Array(4_000_001));
  expect(await cache.get("huge")).toBeUndefined();
  expect(await cache.get("large")).toBeDefined();
  // The oldest goes for what is new.
  const small = create(1000);
  for (const key of ["a", "b", "c"]) await small.put(key, new Uint8Array(400));
  expect(await Promise.all(["a", "b", "c"].map(async (key) => (await small.get(key))?.length))).toEqual([
    undefined,
    400,
    400,
  ]);
}
