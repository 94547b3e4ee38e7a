import { clockCases } from "@tenrec/protocol/testing";
import { describe, expect, test } from "vitest";
import { systemClock } from "./system-clock.ts";

describe("systemClock", () => {
  test.each(clockCases.map((c) => [`${c.group}: ${c.name}`, c] as const))("%s", async (_name, c) => {
    const run = c.run(async () => ({
      clock: systemClock,
      advance: (ms) => new Promise((resolve) => setTimeout(resolve, ms + 1)),
      async [Symbol.asyncDispose]() {},
    }));
    await expect(run).resolves.toBeUndefined();
  });
});
