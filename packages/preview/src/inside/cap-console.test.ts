import { expect, test } from "vitest";
import { capConsole, type ConsoleLike } from "./cap-console.ts";

function capped(): { said: unknown[][]; target: ConsoleLike; pass: (ms: number) => void } {
  const said: unknown[][] = [];
  const say = (...args: unknown[]): void => void said.push(args);
  const target: ConsoleLike = { debug: say, error: say, info: say, log: say, trace: say, warn: say };
  let now = 5000;
  capConsole(target, () => now);
  return { said, target, pass: (ms) => void (now += ms) };
}

test("texts are cut, and everything else is as it was", () => {
  const { said, target } = capped();
  const object = { a: 1 };
  target.log("short", object, undefined);
  target.error("x".repeat(10_001));
  expect(said).toEqual([["short", object, undefined], [`${"x".repeat(10_000)}… [10001 characters]`]]);
  expect(said[0]?.[1]).toBe(object);
});

test("an error is said with its stack, unless it throws when it is asked", () => {
  const { said, target } = capped();
  const error = new Error("no");
  const trap = Object.defineProperty(new Error("trap"), "stack", {
    get: () => {
      throw new TypeError("no");
    },
  });
  target.error("failed:", error);
  target.error(trap);
  expect(said).toEqual([["failed:", error.stack], [trap]]);
  expect(error.stack).toContain("cap-console.test");
});

test("of too many lines the first are said, and that there were more; the next second begins anew", () => {
  const { said, target, pass } = capped();
  for (let n = 0; n < 5000; n += 1) target.log(n);
  expect(said).toHaveLength(1000);
  expect(said.at(-1)).toEqual(["[more lines in this second are left out]"]);
  pass(1000);
  target.warn("again");
  expect(said.at(-1)).toEqual(["again"]);
});
