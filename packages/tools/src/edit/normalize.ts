import type { LinedText } from "./text-lines.ts";
import { contentEnd, lastAtMost } from "./text-lines.ts";

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

/** Without blanks at the end. A pattern would try every run of blanks from each of its characters. */
export function trimBlanks(text: string): string {
  return text.slice(0, blanksFrom(text, 0, text.length));
}

export function normalizeLine(text: string): string {
  return trimBlanks(plainPunctuation(text));
}

/** A text with line ends, trailing blanks and punctuation made alike, that knows where its characters come from. */
export interface NormalizedText {
  readonly text: string;
  /** Where each line starts in `text`. */
  readonly starts: readonly number[];
  readonly origin: LinedText;
}

export function normalizeText(origin: LinedText): NormalizedText {
  const plain = plainPunctuation(origin.text);
  const starts: number[] = [];
  const contents: string[] = [];
  let start = 0;
  for (const [line, from] of origin.starts.entries()) {
    const content = plain.slice(from, blanksFrom(plain, from, contentEnd(origin, line)));
    starts.push(start);
    contents.push(content);
    start += content.length + 1;
  }
  return { text: contents.join("\n"), starts, origin };
}

/** The original offset of a place in the normalised text. */
export function originOf({ starts, origin }: NormalizedText, at: number): number {
  const line = lastAtMost(starts, at);
  return origin.starts[line]! + at - starts[line]!;
}

/** The original offset of the end of the content, trailing blanks included, of the line that `at` is in. */
export function contentEndOf({ starts, origin }: NormalizedText, at: number): number {
  return contentEnd(origin, lastAtMost(starts, at));
}

function blanksFrom(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && (text[end - 1] === " " || text[end - 1] === "\t")) end -= 1;
  return end;
}
