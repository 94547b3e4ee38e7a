import { MAX_WORDS } from "../limits.ts";
import { overLimit } from "./endings.ts";
import { quotePattern } from "./parse-pattern.ts";

/** A word after its expansion, before it is taken for a pattern. */
export interface Field {
  readonly text: string;
  /** As `parsePattern` takes it; undefined when there is no pattern in it. */
  readonly pattern: string | undefined;
}

const DEFAULT_IFS = " \t\n";

/** Puts the fields together that a word becomes. */
export class FieldBuilder {
  readonly #fields: Field[] = [];
  readonly #ifs: string;
  #text = "";
  #pattern = "";
  #isGlob = false;
  #isThere = false;

  constructor(ifs: string | undefined) {
    this.#ifs = ifs ?? DEFAULT_IFS;
  }

  /** What is quoted. It makes a field even where it is empty. */
  addQuoted(text: string): void {
    this.#text += text;
    this.#pattern += quotePattern(text);
    this.#isThere = true;
  }

  /** Literal text, of which brackets may be a part of a pattern. */
  addPlain(text: string): void {
    this.#text += text;
    this.#pattern += text.replace(/[*?[\\]/g, "\\$&");
    this.#isThere = true;
  }

  /** Characters of a pattern. */
  addPattern(pattern: string): void {
    this.#text += pattern;
    this.#pattern += pattern;
    this.#isGlob = true;
    this.#isThere = true;
  }

  /** A value that is not quoted: it is split, and may be a pattern. */
  addSplit(value: string): void {
    if (value === "") return;
    let at = 0;
    for (const { start, end, isMark } of delimiters(value, this.#ifs)) {
      if (start > at) this.#addValue(value.slice(at, start));
      if (isMark) this.#isThere = true;
      this.next();
      at = end;
    }
    if (at < value.length) this.#addValue(value.slice(at));
  }

  /** Ends the field, if one was begun. */
  next(): void {
    if (this.#isThere) this.#fields.push({ text: this.#text, pattern: this.#isGlob ? this.#pattern : undefined });
    checkWords(this.#fields.length);
    this.#text = "";
    this.#pattern = "";
    this.#isGlob = false;
    this.#isThere = false;
  }

  fields(): readonly Field[] {
    this.next();
    return this.#fields;
  }

  #addValue(text: string): void {
    this.#text += text;
    this.#pattern += text;
    this.#isThere = true;
    if (/[*?[]/.test(text)) this.#isGlob = true;
  }
}

interface Delimiter {
  readonly start: number;
  readonly end: number;
  /** It is more than blanks, so there is a field before it, be it an empty one. */
  readonly isMark: boolean;
}

/** Where a value is split by the characters of `IFS`. */
export function* delimiters(value: string, ifs: string): Generator<Delimiter> {
  if (ifs === "") return;
  const isBlank = (char: string): boolean => /[ \t\n]/.test(char) && ifs.includes(char);
  for (let at = 0; at < value.length; at++) {
    if (!ifs.includes(value.charAt(at))) continue;
    const start = at;
    while (at < value.length && isBlank(value.charAt(at))) at++;
    const isMark = at < value.length && ifs.includes(value.charAt(at));
    if (isMark) {
      at++;
      while (at < value.length && isBlank(value.charAt(at))) at++;
    }
    yield { start, end: at, isMark };
    at--;
  }
}

/** Throws when a command would have more words than it may have. */
export function checkWords(count: number): void {
  if (count > MAX_WORDS) throw overLimit(`word expansion: too many words (>${MAX_WORDS})`);
}
