import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quotePath } from "../bash/git/quote-path.ts";
import { readName, readNames } from "./patch-name.ts";

const NAME = fc
  .string({
    unit: fc.oneof(fc.constantFrom("a", " ", '"', "\\", "\t", "\n", "é", "\u007f", "7"), fc.string({ maxLength: 1 })),
    maxLength: 8,
  })
  .filter((name) => !/[\0/]/.test(name) && name.isWellFormed());

describe("names of a diff", () => {
  it("are read as git writes them, for any name", () => {
    fc.assert(
      fc.property(NAME, (name) => {
        const [left, right] = [`a/${name}`, `b/${name}`];
        // What is not in quotes loses blanks at its end, since programs of old wrote a time there.
        if (quotePath(left) !== left) expect(readName(quotePath(left), 1)).toBe(left);
        expect(readNames(`${quotePath(left)} ${quotePath(right)}`, 1)).toEqual([left, right]);
      }),
      { numRuns: 1000 },
    );
  });

  it.each<[string, [string, string]]>([
    [String.raw`"a/\303\251 x" b/e x`, ["a/é x", "b/e x"]],
    [String.raw`a/e x "b/\303\251 x"`, ["a/e x", "b/é x"]],
    ['a/x"y b/x"y', ['a/x"y', 'b/x"y']],
  ])("of %s", (text, names) => {
    expect(readNames(text, 1)).toEqual(names);
  });
});
