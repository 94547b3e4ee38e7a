import { describe, expect, it } from "vitest";
import readme from "../../README.md?raw";
import manifest from "../../package.json?raw";
import { withTools } from "../with-tools.ts";
// oxlint-disable-next-line import/default -- Vite gives its text
import source from "./match.ts?raw";
import type { TextEdit } from "./target.ts";

// Real files, edits that mean something in each, and shapes that a file of the same text can have. The same edit has to
// give the same text in the same shape, or an error that changes nothing; there is nothing in between.
const FILES: Readonly<Record<string, string>> = { "match.ts": source, "README.md": readme, "package.json": manifest };

interface Edit {
  readonly name: string;
  /** Line of the file, from 0, as a share of its length; then how many lines the old text has. */
  readonly at: number;
  readonly lines: number;
  change(old: string): string;
}

const EDITS: readonly Edit[] = [
  { name: "a line changed", at: 0.3, lines: 1, change: (old) => old.replace(/\S+/, "CHANGED") },
  { name: "lines put in", at: 0.5, lines: 2, change: (old) => `${old}\nnew "one"\n\n  new two` },
  { name: "lines taken out", at: 0.6, lines: 3, change: (old) => old.split("\n")[0] ?? "" },
  { name: "the first line", at: 0, lines: 1, change: (old) => `first\n${old}` },
  { name: "the last line", at: 1, lines: 2, change: (old) => `${old} last` },
  { name: "patterns of a replacement", at: 0.4, lines: 2, change: () => "$& $$ $1 $` $' \\n" },
  { name: "a large block", at: 0.2, lines: 12, change: (old) => old.split("\n").toReversed().join("\n") },
];

/** Makes of a text with LF one of another shape. */
interface Shape {
  readonly name: string;
  of(text: string): string;
  /** Of the edit's texts; default: as they are. */
  ofEdit?(text: string): string;
  /** For a few of the edits only. */
  readonly isLarge?: boolean;
}

const FILLER = Array.from({ length: 100_000 }, (_, n) => `// filler ${n}, of about fifty characters, to be large`);

const SHAPES: readonly Shape[] = [
  { name: "LF", of: (text) => text },
  { name: "CRLF", of: (text) => text.replaceAll("\n", "\r\n") },
  {
    name: "CRLF, written with CRLF",
    of: (text) => text.replaceAll("\n", "\r\n"),
    ofEdit: (text) => text.replaceAll("\n", "\r\n"),
  },
  { name: "LF, written with CRLF", of: (text) => text, ofEdit: (text) => text.replaceAll("\n", "\r\n") },
  { name: "a byte order mark", of: (text) => `\ufeff${text}` },
  { name: "a byte order mark and CRLF", of: (text) => `\ufeff${text.replaceAll("\n", "\r\n")}` },
  { name: "no last line end", of: (text) => text.replace(/\n$/, "") },
  { name: "lone CRs", of: (text) => text.replaceAll("\n", "\r") },
  {
    name: "tabs",
    of: (text) => text.replaceAll(/^ +/gm, (blanks) => "\t".repeat(blanks.length)),
    ofEdit: (text) => text.replaceAll(/^ +/gm, (blanks) => "\t".repeat(blanks.length)),
  },
  { name: "5 MB before it", isLarge: true, of: (text) => `${FILLER.join("\n")}\n${text}` },
  { name: "5 MB behind it, CRLF", isLarge: true, of: (text) => `${text}${FILLER.join("\n")}`.replaceAll("\n", "\r\n") },
];

/** The old text: whole lines without the last line end. Undefined when they are more than once in the file. */
function oldText(text: string, { at, lines }: Edit): string | undefined {
  const all = text.replace(/\n$/, "").split("\n");
  const start = Math.min(Math.round(at * all.length), all.length - lines);
  const old = all.slice(start, start + lines).join("\n");
  return text.split(old).length === 2 && old.trim() !== "" ? old : undefined;
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

async function editIn(before: string, edit: TextEdit): Promise<string | undefined> {
  return withTools({ "/f": before }, async ({ call, fs }) => {
    const { isError } = await call("edit", { path: "f", edits: [edit] });
    const after = await fs.readFileBytes("/f");
    if (isError) expect(after).toEqual(bytesOf(before));
    return isError ? undefined : new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(after);
  });
}

const CASES = Object.entries(FILES).flatMap(([file, text]) =>
  EDITS.flatMap((edit) => {
    const old = oldText(text, edit);
    return old === undefined ? [] : [{ file, text, edit: edit.name, old, now: edit.change(old) }];
  }),
);

it("has edits to make in every file", () => {
  for (const file of Object.keys(FILES)) {
    expect(CASES.filter((each) => each.file === file).length).toBeGreaterThan(EDITS.length / 2);
  }
});

const FEW = CASES.filter(({ file, edit }) => file === "match.ts" && /^(lines|patterns|the last)/.test(edit));

describe.each(SHAPES)("in the shape: $name", { timeout: 60_000 }, ({ of, ofEdit = (text) => text, isLarge }) => {
  it.each(isLarge ? FEW : CASES)("$file, $edit", async ({ text, old, now }) => {
    const after = await editIn(of(text), { oldText: ofEdit(old), newText: ofEdit(now) });
    // Not by `toBe`: a difference of 5 MB takes minutes to be shown.
    expect(after === of(text.replace(old, () => now))).toBe(true);
  });
});

/** Line ends by turns, told by the line: so a line has the same end before and after. */
function mixed(text: string): string {
  return text.replaceAll(/(.*)\n/g, (_, line: string) => line + (line.length % 2 === 0 ? "\r\n" : "\n"));
}

describe("in a file with mixed line ends", () => {
  it.each(CASES)("$file, $edit", async ({ text, old, now }) => {
    const after = await editIn(mixed(text), { oldText: old, newText: now });
    expect(after?.replaceAll("\r\n", "\n")).toBe(text.replace(old, () => now));
    // Every line that is there before and after, and that no change touches, has the end that it had.
    const [head = "", tail = ""] = text.split(old);
    expect(after?.startsWith(mixed(head))).toBe(true);
    expect(after?.endsWith(mixed(tail).replace(/^\r?\n/, ""))).toBe(true);
  });
});

describe("in a file with curly quotes and trailing blanks", () => {
  const odd = (text: string): string =>
    text
      .replaceAll(/"([^"\n]*)"/g, "“$1”")
      .replaceAll(/ - /g, " – ")
      .replaceAll(/([;,])\n/g, "$1  \n");
  const plain = (text: string): string => text.replaceAll(/[“”]/g, '"').replaceAll("–", "-").replaceAll(/ +\n/g, "\n");
  it.each(CASES)("$file, $edit", async ({ text, old, now }) => {
    const before = odd(text);
    const after = await editIn(before, { oldText: old, newText: now });
    // What is there twice when punctuation counts as the same is refused.
    if (after === undefined) return expect(plain(before).split(plain(old)).length).not.toBe(2);
    expect(plain(after)).toBe(plain(text).replace(plain(old), () => plain(now)));
    const [head = "", tail = ""] = text.split(old);
    expect(after.startsWith(odd(head))).toBe(true);
    expect(after.endsWith(odd(tail.replace(/^\n/, "")))).toBe(true);
  });
});

describe("in a file that has the block twice", () => {
  it.each(CASES)("$file, $edit", async ({ text, old, now }) => {
    const twice = text + text;
    expect(await editIn(twice, { oldText: old, newText: now })).toBe(undefined);
    const both = await editIn(twice, { oldText: old, newText: now, replaceAll: true });
    expect(both).toBe(twice.split(old).join(now));
  });
});

describe("with other indentation than the file has", () => {
  it.each(CASES.filter(({ old }) => /^ /m.test(old)))("$file, $edit, is refused", async ({ text, old, now }) => {
    const tabs = text.replaceAll(/^ +/gm, (blanks) => "\t".repeat(blanks.length));
    expect(await editIn(tabs, { oldText: old, newText: now })).toBe(undefined);
  });
});
