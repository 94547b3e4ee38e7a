import { structuredPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withTools } from "../with-tools.ts";
import { readAll } from "./with-read-all.ts";

const END = fc.constantFrom("\n", "\n", "\r\n", "\r");
const LINE = fc.oneof(
  fc.stringMatching(/^[ab“ {}\t]{0,6}$/),
  fc.constantFrom("", "--- a", "+++ b", "@@", "*** End Patch"),
);

interface Shape {
  readonly bom: boolean;
  readonly ends: readonly string[];
  readonly last: boolean;
}
const SHAPE: fc.Arbitrary<Shape> = fc.record({
  bom: fc.boolean(),
  ends: fc.oneof(
    END.map((end) => [end]),
    // Not with lone CRs: one before an empty line that ends with LF would become a CRLF.
    fc.array(fc.constantFrom("\n", "\r\n"), { minLength: 2, maxLength: 4 }),
  ),
  last: fc.boolean(),
});

function inShape(lines: readonly string[], { bom, ends, last }: Shape): string {
  const text = lines.map((line, at) => line + (at < lines.length - 1 || last ? ends[at % ends.length] : ""));
  return (bom ? "\ufeff" : "") + text.join("");
}

/** Lines as a patch has them. */
function linesOf(text: string): string[] {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** A patch of both formats that makes lines of others. */
function patches(old: readonly string[], now: readonly string[]): readonly string[] {
  const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
  const { hunks } = structuredPatch("f", "f", text(old), text(now), "", "", { context: 2 });
  const codex = hunks.flatMap(({ lines }) => ["@@", ...lines]);
  const unified = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => {
    const start = (at: number, count: number): number => (count === 0 ? at - 1 : at);
    return [`@@ -${start(oldStart, oldLines)},${oldLines} +${start(newStart, newLines)},${newLines} @@`, ...lines];
  });
  return [
    ["*** Begin Patch", "*** Update File: f", ...codex, "*** End Patch"].join("\n"),
    ["--- a/f", "+++ b/f", ...unified, ""].join("\n"),
  ];
}

const LINES = fc.array(LINE, { minLength: 1, maxLength: 14 });

/** Lines, and others that have most of them. */
const VERSIONS = fc
  .tuple(LINES, fc.array(fc.tuple(fc.nat(), fc.nat(2), LINE), { minLength: 1, maxLength: 4 }))
  .map(([old, edits]) => {
    const now = [...old];
    for (const [at, gone, line] of edits) now.splice(at % (now.length + 1), gone, line);
    return { old, now };
  });

/** What has happened to a patch on its way through a model. */
const DAMAGE = fc.array(
  fc.tuple(fc.nat(), fc.constantFrom("drop", "twice", "swap", "junk", "cut"), fc.oneof(LINE, fc.string())),
  { minLength: 1, maxLength: 5 },
);

function damaged(patch: string, damage: readonly (readonly [number, string, string])[]): string {
  const lines = patch.split("\n");
  for (const [seed, kind, junk] of damage) {
    const at = seed % lines.length;
    const line = lines[at] ?? "";
    if (kind === "drop") lines.splice(at, 1);
    if (kind === "twice") lines.splice(at, 0, line);
    if (kind === "swap") lines.splice(at, 2, ...lines.slice(at, at + 2).toReversed());
    if (kind === "junk") lines.splice(at, 0, junk);
    if (kind === "cut") lines[at] = line.slice(1);
  }
  return lines.join("\n");
}

describe("apply_patch, for any file", { timeout: 60_000 }, () => {
  it("gives the lines that the patch means, with the line ends that the file has", () =>
    withTools({}, async ({ again }) => {
      await fc.assert(
        fc.asyncProperty(VERSIONS, SHAPE, async ({ old, now }, shape) => {
          const before = inShape(old, shape);
          // A file is one line in the other format's eyes when its line ends are not the usual ones.
          fc.pre(linesOf(before).length === old.length && old.join("\n") !== now.join("\n"));
          for (const patch of patches(old, now)) {
            const { call, fs } = again();
            await fs.writeFile("/f", before);
            const { text, isError } = await call("apply_patch", { patch });
            const after = await fs.readFile("/f");
            // Text that fits more than once goes to the first place, and the answer says so.
            if (text.includes("fits at lines")) continue;
            expect([isError, text]).toEqual([undefined, expect.stringMatching(/^Patched 1 file/)]);
            expect(linesOf(after)).toEqual(now);
            expect(after.startsWith("\ufeff")).toBe(shape.bom);
            if (shape.ends.length === 1 && /[\r\n]/.test(before)) {
              expect(after.replaceAll(shape.ends[0]!, "")).not.toMatch(/[\r\n]/);
            }
          }
        }),
        { numRuns: 150 },
      );
    }));

  it("changes nothing when it fails, and no file that is not named, whatever the patch", () =>
    withTools({}, async ({ again }) => {
      await fc.assert(
        fc.asyncProperty(VERSIONS, SHAPE, DAMAGE, fc.nat(1), async ({ old, now }, shape, damage, format) => {
          const { call, fs } = again();
          await fs.writeFile("/f", inShape(old, shape));
          await fs.writeFile("/other", inShape(now, shape));
          const before = await readAll(fs);
          const patch = damaged(patches(old, now)[format] ?? "", damage);
          const output = await call("apply_patch", { patch });
          const after = await readAll(fs);
          if (output.isError) expect(after).toEqual(before);
          else if (!patch.includes("other")) expect(after["/other"]).toBe(before["/other"]);
          expect(output.data).not.toMatchObject({ code: "internal" });
        }),
        { numRuns: 300 },
      );
    }));
});
