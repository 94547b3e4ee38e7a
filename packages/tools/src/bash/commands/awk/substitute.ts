import { checkLength } from "./byte-text.ts";
import type { Span } from "./regex/automaton.ts";
import type { Regex } from "./regex/regex.ts";
import type { Search } from "./regex/search.ts";

/** What takes the place of a match: text, and groups of it by number. */
export type Replacement = readonly (string | number)[];

/** Of `sub` and `gsub`, where only `&` and backslashes before it mean something. */
export function replacementOf(text: string): Replacement {
  if (!/[&\\]/.test(text)) return [text];
  const parts: (string | number)[] = [];
  let plain = "";
  for (let at = 0; at < text.length; at++) {
    if (text.startsWith("\\\\\\\\", at)) {
      plain += "\\\\";
      at += 3;
    } else if (text.startsWith("\\\\\\&", at)) {
      plain += "\\&";
      at += 3;
    } else if (text.startsWith("\\\\&", at)) {
      parts.push(`${plain}\\`, 0);
      plain = "";
      at += 2;
    } else if (text.startsWith("\\&", at)) {
      plain += "&";
      at += 1;
    } else if (text[at] === "&") {
      parts.push(plain, 0);
      plain = "";
    } else plain += text.charAt(at);
  }
  parts.push(plain);
  return parts;
}

/** Of `gensub`, where a backslash is in front of groups, too. */
export function generalReplacementOf(text: string): Replacement {
  const parts: (string | number)[] = [];
  let plain = "";
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    const next = char === "\\" ? text.charAt(at + 1) : "";
    if (char === "&" || /\d/.test(next)) {
      parts.push(plain, char === "&" ? 0 : Number(next));
      plain = "";
    } else if (next === "&" || next === "\\") plain += next;
    else {
      plain += char + next;
    }
    if (next !== "") at++;
  }
  parts.push(plain);
  return parts;
}

/** Characters that are looked at, and matches, at a time. */
const PIECE = 100_000;
const PIECE_MATCHES = 2000;

/** The replacement of matches in a text, which may be a long one: it is made in pieces. */
export class Substitution {
  /** How many matches were replaced. */
  count = 0;
  readonly #text: string;
  readonly #search: Search;
  readonly #pieceOf: (match: Span) => string;
  readonly #which: number;
  readonly #parts: string[] = [];
  #at = 0;
  #copied = 0;
  #seen = 0;
  #lastEnd = -1;
  #length = 0;
  #workBefore = 0;

  /** Replaces match number `which`, or all of them for 0. */
  constructor(text: string, regex: Regex, replacement: Replacement, which: number) {
    this.#text = text;
    this.#search = regex.search(text);
    this.#pieceOf = pieceMaker(text, regex, replacement);
    this.#which = which;
  }

  /** About how much was done at the last time, in the measure of the machine. */
  get work(): number {
    return (this.#search.work - this.#workBefore) >> 2;
  }

  /** The text as it is at the end. */
  get text(): string {
    if (this.count === 0) return this.#text;
    return this.#parts.join("") + this.#text.slice(this.#copied);
  }

  /** Goes on for some milliseconds; whether that was all. */
  go(): boolean {
    const { work } = this.#search;
    this.#workBefore = work;
    for (let matches = 0; matches < PIECE_MATCHES && this.#search.work - work < PIECE; matches++)
      if (!this.#next()) return true;
    return false;
  }

  /** Whether there may be more. */
  #next(): boolean {
    const text = this.#text;
    const match = this.#at > text.length ? undefined : this.#search.find(this.#at);
    if (!match) return false;
    const isEmpty = match.start === match.end;
    // None that is empty just behind another one.
    if (!isEmpty || match.start !== this.#lastEnd) {
      this.#seen++;
      if (this.#which === 0 || this.#seen === this.#which) this.#replace(match);
      if (this.#seen === this.#which) return false;
    }
    this.#lastEnd = match.end;
    this.#at = isEmpty ? match.end + ((text.codePointAt(match.end) ?? 0) > 0xffff ? 2 : 1) : match.end;
    return true;
  }

  #replace(match: Span): void {
    const piece = this.#pieceOf(match);
    this.#parts.push(this.#text.slice(this.#copied, match.start), piece);
    this.#length += match.start - this.#copied + piece.length;
    this.#copied = match.end;
    this.count++;
    checkLength(this.#length + this.#text.length - this.#copied);
  }
}

function pieceMaker(text: string, regex: Regex, replacement: Replacement): (match: Span) => string {
  const [first = ""] = replacement;
  if (replacement.length === 1 && typeof first === "string") return () => first;
  const hasGroups = replacement.some((part) => typeof part === "number" && part > 0);
  return (match) => expand(replacement, text, match, hasGroups ? regex.captures(text, match) : undefined);
}

function expand(replacement: Replacement, text: string, match: Span, captures: readonly number[] | undefined): string {
  let out = "";
  for (const part of replacement) {
    if (typeof part === "string") out += part;
    else if (part === 0) out += text.slice(match.start, match.end);
    else {
      const start = captures?.[2 * part] ?? -1;
      if (start >= 0) out += text.slice(start, captures?.[2 * part + 1]);
    }
  }
  return out;
}
