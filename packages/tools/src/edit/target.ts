import type { NormalizedText } from "./normalize.ts";
import { normalizeText } from "./normalize.ts";
import type { TextLine } from "./text-lines.ts";
import { lineEndPattern, splitLines } from "./text-lines.ts";

export interface TextEdit {
  oldText: string;
  newText: string;
  replaceAll?: boolean | undefined;
}

/** A file's text, split once for all edits of a call, and normalised only when an edit needs it. */
export interface EditTarget {
  readonly text: string;
  readonly lineEnd: RegExp;
  readonly lines: readonly TextLine[];
  /** Where each line starts. */
  readonly starts: readonly number[];
  normalized(): NormalizedText;
}

export function createTarget(text: string): EditTarget {
  const lineEnd = lineEndPattern(text);
  const lines = splitLines(text, lineEnd);
  const starts: number[] = [];
  let start = 0;
  for (const { content, end } of lines) {
    starts.push(start);
    start += content.length + end.length;
  }
  let normalized: NormalizedText | undefined;
  return { text, lineEnd, lines, starts, normalized: () => (normalized ??= normalizeText(lines)) };
}
