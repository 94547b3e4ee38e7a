import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyReplacements, inOrder } from "./apply.ts";
import { matchEdit } from "./match.ts";
import { createTarget } from "./target.ts";

const END = fc.constantFrom("\n", "\r\n");
const LINE = fc.stringMatching(/^[ab“" \t–-]{0,6}$/);
const FILE = fc.array(fc.tuple(LINE, END), { minLength: 1, maxLength: 12 }).map((rows) => rows.flat().join(""));

function edited(text: string, oldText: string, newText: string): string | undefined {
  try {
    const { replacements } = matchEdit(createTarget(text), { oldText, newText }, "oldText", "f");
    return applyReplacements(text, inOrder(replacements, "f"));
  } catch {
    return undefined;
  }
}

/** How many places, overlapping ones too. */
function places(text: string, part: string): number {
  return Array.from(text).filter((_, at) => text.startsWith(part, at)).length;
}

describe("edit, for any file", () => {
  it("replaces exact unique text, and keeps every byte around it", () => {
    fc.assert(
      fc.property(
        FILE,
        fc.nat(),
        fc.integer({ min: 1, max: 20 }),
        fc.stringMatching(/^[xy$&]{0,5}$/),
        (text, from, length, newText) => {
          const start = from % text.length;
          const oldText = text.slice(start, start + length);
          fc.pre(places(text, oldText) === 1 && !oldText.endsWith("\r") && !oldText.startsWith("\n"));
          const expected = text.slice(0, start) + newText + text.slice(start + oldText.length);
          expect(edited(text, oldText, newText)).toBe(expected);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("keeps the ends of all lines that it does not take away", () => {
    fc.assert(
      fc.property(FILE, fc.nat(), fc.nat(), (text, a, b) => {
        const lines = text.split(/\r?\n/);
        const first = a % lines.length;
        const last = Math.min(lines.length - 1, first + (b % 4));
        const oldText = lines.slice(first, last + 1).join("\n");
        // Only the last of the lines changes.
        const result = edited(text, oldText, `${oldText}#`);
        fc.pre(result !== undefined);
        expect(result?.match(/\r?\n/g)).toEqual(text.match(/\r?\n/g));
        expect(result?.replace("#", "").length).toBeGreaterThanOrEqual(text.length - 6);
      }),
      { numRuns: 500 },
    );
  });
});
