import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Replacement } from "./apply.ts";
import { applyReplacements, inOrder } from "./apply.ts";
import { changedLines } from "./diff.ts";
import { matchEdit } from "./match.ts";
import type { EditTarget, TextEdit } from "./target.ts";
import { createTarget } from "./target.ts";

const END = fc.constantFrom("\n", "\r\n");
const LINE = fc.stringMatching(/^[ab“" \t–-]{0,6}$/);
const FILE = fc.array(fc.tuple(LINE, END), { minLength: 1, maxLength: 12 }).map((rows) => rows.flat().join(""));

function edited(text: string, oldText: string, newText: string): string | undefined {
  try {
    const replacements = matchEdit(createTarget(text), { oldText, newText }, "oldText", "f");
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

  it("replaces only what the old text means, by what the new text means", () => {
    fc.assert(
      fc.property(FILE, fc.array(EDIT, { minLength: 1, maxLength: 4 }), (text, edits) => {
        const target = createTarget(text);
        const found = edits.map((edit) => {
          try {
            return matchEdit(target, resolved(edit, text), "oldText", "f");
          } catch (error) {
            expect(error).toMatchObject({ code: "tool-failed" });
            return [];
          }
        });
        for (const [index, replacements] of found.entries()) {
          const { oldText, newText, replaceAll } = resolved(edits[index]!, text);
          if (!replaceAll) expect(replacements.length).toBeLessThanOrEqual(1);
          for (const { start, end, text: put } of replacements) {
            expect(meaning(text.slice(start, end))).toBe(meaning(oldText));
            expect(meaning(put)).toBe(meaning(newText));
            // No half of a line end is taken, and no place of a line in two.
            expect(text.slice(start - 1, start + 1)).not.toBe("\r\n");
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("says the same of a file as the diff that it shows", () => {
    fc.assert(
      fc.property(FILE, fc.array(EDIT, { minLength: 1, maxLength: 4 }), (text, edits) => {
        const target = createTarget(text);
        const apart = piecesOf(
          target,
          edits.map((edit) => resolved(edit, text)),
        );
        fc.pre(apart !== undefined);
        const after = applyReplacements(text, apart ?? []);
        const { text: shown, added, removed } = changedLines(target, apart ?? []);
        const lines = (whole: string): string[] =>
          whole.match(/[^\n]*\n|[^\n]+$/g)?.map((line) => line.replace(/\r?\n$/, "")) ?? [];
        expect(lines(after).length - lines(text).length).toBe(added - removed);
        expect(applyDiff(lines(text), shown)).toEqual(lines(after));
      }),
      { numRuns: 1000 },
    );
  });
});

interface AnyEdit {
  /** A part of the file, so that most are found. */
  readonly from: number;
  readonly length: number;
  readonly change: (part: string) => string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

const SAME = (part: string): string => part;
const EDIT: fc.Arbitrary<AnyEdit> = fc.record({
  from: fc.nat(60),
  length: fc.integer({ min: 1, max: 25 }),
  change: fc.constantFrom(
    SAME,
    SAME,
    (part: string) => part.replaceAll("\r\n", "\n"),
    (part: string) => part.replaceAll("\n", "\r\n"),
    (part: string) => part.replaceAll(/[“]/g, '"').replaceAll("–", "-"),
    (part: string) => part.replaceAll(/[ \t]+(?=\r?\n|$)/g, ""),
    (part: string) => part.replaceAll(/(?=\r?\n|$)/g, " "),
    (part: string) => `${part}x`,
  ),
  newText: fc.stringMatching(/^[xab"“ \n]{0,8}$/),
  replaceAll: fc.boolean(),
});

function resolved({ from, length, change, newText, replaceAll }: AnyEdit, text: string): TextEdit {
  const start = from % text.length;
  const part = change(text.slice(start, start + length));
  // Some edits keep most of what was there.
  return { oldText: part, newText: newText.startsWith("x") ? part + newText : newText, replaceAll };
}

/** A text without what edits do not tell apart. */
function meaning(text: string): string {
  const lines = text
    .replaceAll("“", '"')
    .replaceAll("–", "-")
    .split(/\r\n|\n/);
  return lines.map((line) => line.replace(/[ \t]+$/, "")).join("\n");
}

function piecesOf(target: EditTarget, edits: readonly TextEdit[]): readonly Replacement[] | undefined {
  try {
    return inOrder(
      edits.flatMap((edit) => matchEdit(target, edit, "oldText", "f")),
      "f",
    );
  } catch {
    return undefined;
  }
}

/** A patch program for the diffs of an answer, which have no line ends. */
function applyDiff(lines: readonly string[], diff: string): string[] {
  const out: string[] = [];
  let at = 0;
  for (const line of diff.split("\n")) {
    const [, start, count] = /^@@ -(\d+),(\d+) /.exec(line) ?? [];
    if (start !== undefined) {
      const first = Number(start) - (count === "0" ? 0 : 1);
      out.push(...lines.slice(at, first));
      at = first;
    } else if (line.startsWith("+")) out.push(line.slice(1));
    else if (line.startsWith("-") || line.startsWith(" ")) {
      expect(line.slice(1)).toBe(lines[at]);
      if (line.startsWith(" ")) out.push(lines[at]!);
      at += 1;
    }
  }
  return [...out, ...lines.slice(at)];
}
