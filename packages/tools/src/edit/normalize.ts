import type { TextLine } from "./text-lines.ts";
import { lastAtMost } from "./text-lines.ts";

// One UTF-16 unit for one, so that a place in a normalised line is the same place in the line.
const SAME: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "'": "\u2018\u2019\u201a\u201b\u2032",
    '"': "\u201c\u201d\u201e\u201f\u2033",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
    " ": "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
  }).flatMap(([plain, variants]) => Array.from(variants, (variant) => [variant, plain] as const)),
);
const VARIANTS = /[\u00a0\u2000-\u200a\u2010-\u2015\u2018-\u201f\u2032\u2033\u202f\u205f\u2212\u3000]/g;

/** Unicode punctuation and spaces as ASCII; the length stays. */
export function plainPunctuation(text: string): string {
  return text.replace(VARIANTS, (char) => SAME.get(char) ?? char);
}

/** Without blanks at the end. */
export function trimBlanks(text: string): string {
  return text.replace(/[ \t]+$/, "");
}

export function normalizeLine(text: string): string {
  return trimBlanks(plainPunctuation(text));
}

/** A text with line ends, trailing blanks and punctuation made alike, that knows where its characters come from. */
export interface NormalizedText {
  readonly text: string;
  /** Where each line starts in `text`. */
  readonly starts: readonly number[];
  /** Where each line starts in the original, and where its content ends there. */
  readonly origins: readonly number[];
  readonly contentEnds: readonly number[];
}

export function normalizeText(lines: readonly TextLine[]): NormalizedText {
  const starts: number[] = [];
  const origins: number[] = [];
  const contentEnds: number[] = [];
  const contents: string[] = [];
  let start = 0;
  let origin = 0;
  for (const { content, end } of lines) {
    const normal = normalizeLine(content);
    starts.push(start);
    origins.push(origin);
    contentEnds.push(origin + content.length);
    contents.push(normal);
    start += normal.length + 1;
    origin += content.length + end.length;
  }
  return { text: contents.join("\n"), starts, origins, contentEnds };
}

/** The original offset of a place in the normalised text. */
export function originOf(normalized: NormalizedText, at: number): number {
  const line = lastAtMost(normalized.starts, at);
  return normalized.origins[line]! + at - normalized.starts[line]!;
}

/** The original offset of the end of the content, trailing blanks included, of the line that `at` is in. */
export function contentEndOf(normalized: NormalizedText, at: number): number {
  return normalized.contentEnds[lastAtMost(normalized.starts, at)]!;
}
