import { describe, expect, it } from "vitest";
import { memoryCache } from "./memory-cache.ts";
import { checkCache } from "./with-cache-cases.ts";

describe("the cache in memory", () => {
  it("keeps what it is given, up to so many bytes", async () => {
    await checkCache(memoryCache, expect);
  });
});
