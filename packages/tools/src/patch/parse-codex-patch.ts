import type { FilePatch, Hunk, HunkLine, Patch } from "./file-patch.ts";
import { malformed, patchFailed } from "./file-patch.ts";
import type { LineRange } from "./parse-patch.ts";

const HEADER = /^\*\*\* (Add|Delete|Update) File: (.+)$/;
const FORMS = 'Use "*** Add File: <path>", "*** Delete File: <path>" or "*** Update File: <path>"';

/** Reads what is between `*** Begin Patch` and `*** End Patch`. */
export function parseCodexPatch(lines: readonly string[], { from, to }: LineRange): Patch {
  const begin = lines.findIndex((line, at) => at >= from && line.trim() === "*** Begin Patch");
  if (lines[to - 1]?.trim() !== "*** End Patch") throw malformed(to, 'the last line is not "*** End Patch"');
  const files: FilePatch[] = [];
  const reader = new Reader(lines, begin + 1, to - 1);
  for (reader.skipBlank(); !reader.atEnd; reader.skipBlank()) files.push(readFile(reader));
  if (files.length === 0) throw patchFailed(`the patch has no changes. ${FORMS}`);
  return { format: "codex", files };
}

class Reader {
  /** Index of the next line. */
  next: number;
  readonly #lines: readonly string[];
  readonly #end: number;

  constructor(lines: readonly string[], next: number, end: number) {
    this.#lines = lines;
    this.next = next;
    this.#end = end;
  }

  get atEnd(): boolean {
    return this.next >= this.#end;
  }

  get line(): string {
    return this.atEnd ? "" : (this.#lines[this.next] ?? "");
  }

  skipBlank(): void {
    while (!this.atEnd && this.line.trim() === "") this.next += 1;
  }
}

function readFile(reader: Reader): FilePatch {
  const at = reader.next + 1;
  const [, kind, path] = HEADER.exec(reader.line.trim()) ?? [];
  if (kind === undefined || path === undefined) throw malformed(at, `"${shown(reader.line)}" is no header. ${FORMS}`);
  reader.next += 1;
  if (kind === "Delete") return { kind: "delete", path, hunks: [], at };
  if (kind === "Add") return { kind: "set", path, hunks: [readContent(reader)], at };
  const to = /^\*\*\* Move to: (.+)$/.exec(reader.line.trim())?.[1];
  if (to !== undefined) reader.next += 1;
  const hunks = readHunks(reader);
  if (hunks.length === 0 && to === undefined) throw malformed(at, `the update of ${path} has no hunk`);
  return { kind: "update", path, ...(to === undefined ? {} : { to }), hunks, at };
}

function readContent(reader: Reader): Hunk {
  const at = reader.next + 1;
  const lines: HunkLine[] = [];
  for (; !reader.atEnd && reader.line.startsWith("+"); reader.next += 1) {
    lines.push({ sign: "+", text: reader.line.slice(1) });
  }
  return { anchors: [], lines, atEnd: false, at };
}

function readHunks(reader: Reader): Hunk[] {
  const hunks: Hunk[] = [];
  for (reader.skipBlank(); !reader.atEnd && !isFileHeader(reader.line); reader.skipBlank()) {
    if (hunks.length > 0 && !reader.line.startsWith("@@")) {
      throw malformed(reader.next + 1, `"${shown(reader.line)}" begins with none of " ", "+", "-" and "@@"`);
    }
    hunks.push(readHunk(reader));
  }
  return hunks;
}

function readHunk(reader: Reader): Hunk {
  const at = reader.next + 1;
  const anchors: string[] = [];
  for (; reader.line.startsWith("@@"); reader.next += 1) anchors.push(...anchorOf(reader.line));
  const lines: HunkLine[] = [];
  let atEnd = false;
  for (; !reader.atEnd && !atEnd; reader.next += 1) {
    const line = hunkLine(reader.line);
    if (line) lines.push(line);
    else if (reader.line.trim() === "*** End of File") atEnd = true;
    else break;
  }
  if (lines.length > 0) return { anchors, lines, atEnd, at };
  if (reader.atEnd || isFileHeader(reader.line)) throw malformed(at, "the hunk has no lines");
  throw malformed(reader.next + 1, `"${shown(reader.line)}" begins with none of " ", "+" and "-"`);
}

/** A header of a unified diff has numbers, which models make up; they are no text to look for. */
function anchorOf(header: string): string[] {
  const text = header.slice(2).replace(/^ /, "");
  return text.trim() === "" || /^-\d+(,\d+)? \+\d+(,\d+)? @@/.test(text) ? [] : [text];
}

/** A blank line without its sign is an empty line of the file. */
function hunkLine(line: string): HunkLine | undefined {
  if (line === "") return { sign: " ", text: "" };
  const sign = line[0];
  return sign === " " || sign === "+" || sign === "-" ? { sign, text: line.slice(1) } : undefined;
}

function isFileHeader(line: string): boolean {
  return line.trim().startsWith("*** ") && line.trim() !== "*** End of File";
}

function shown(line: string): string {
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}
