import type { Span } from "./regex/automaton.ts";
import type { Regex, Regexes } from "./regex/regex.ts";
import type { Search } from "./regex/search.ts";

/** Is told how much was done with a text, in the measure of the machine. */
export type Did = (work: number) => void;

/** The parts of a text, as fields. */
export type Splitter = (text: string) => string[];

/** What separates fields: as `FS` has it. `lines`: a line feed does too, as in paragraphs. */
export function separatorSplitter(
  separator: string,
  regexes: Regexes,
  { ignoreCase, lines, did }: { readonly ignoreCase: boolean; readonly lines: boolean; readonly did: Did },
): Splitter {
  const source = regexOfSeparator(separator, lines);
  if (source !== undefined) return regexSplitter(regexes.get(lines ? `(${source})|\n` : source, ignoreCase), did);
  const split = plainSplitter(separator);
  return lines && separator === "" ? (text) => split(text).filter((char) => char !== "\n") : split;
}

/** The expression for a separator, which one character can do without, except in one that `isPart` of another. */
export function regexOfSeparator(separator: string, isPart: boolean): string | undefined {
  if (separator === " " || separator === "") return undefined;
  if (Array.from(separator).length > 1) return separator;
  return isPart ? `[${/[\\^]/.test(separator) ? "\\" : ""}${separator}]` : undefined;
}

/** For one that takes no expression. */
export function plainSplitter(separator: string): Splitter {
  if (separator === " ") return splitBlanks;
  return separator === "" ? Array.from : (text) => (text === "" ? [] : text.split(separator));
}

/** Without what is between the parts; a match of nothing separates nothing. */
function regexSplitter(regex: Regex, did: Did): Splitter {
  return (text) => atOnce(splitAround(text, regex), did).parts;
}

export interface Separated {
  readonly parts: string[];
  readonly separators: string[];
}

/** What may take long: it yields how much was done, in the measure of the machine, every few milliseconds. */
export type InPieces<Result> = Generator<number, Result, undefined>;

/** All of it without a pause. */
function atOnce<Result>(pieces: InPieces<Result>, did: Did): Result {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
    did(value);
  }
}

/** Characters that are looked at, and matches, at a time. */
const PIECE = 100_000;
const PIECE_MATCHES = 2000;

/** Finds matches, and pauses. */
class PausingSearch {
  readonly #search: Search;
  #matches = 0;
  #work = 0;

  constructor(text: string, regex: Regex) {
    this.#search = regex.search(text);
  }

  find(at: number): Span | undefined {
    this.#matches++;
    return this.#search.find(at);
  }

  get isTime(): boolean {
    return this.#matches >= PIECE_MATCHES || this.#search.work - this.#work >= PIECE;
  }

  /** What was done since the last time. */
  takeWork(): number {
    const work = ((this.#search.work - this.#work) >> 3) + this.#matches;
    this.#work = this.#search.work;
    this.#matches = 0;
    return work;
  }
}

export function* splitAround(text: string, regex: Regex): InPieces<Separated> {
  const parts: string[] = [];
  const separators: string[] = [];
  if (text === "") return { parts, separators };
  const search = new PausingSearch(text, regex);
  let start = 0;
  for (let at = 0; at <= text.length;) {
    if (search.isTime) yield search.takeWork();
    const match = search.find(at);
    if (!match) break;
    if (match.start === match.end) {
      at = match.end + 1;
      continue;
    }
    parts.push(text.slice(start, match.start));
    separators.push(text.slice(match.start, match.end));
    start = at = match.end;
  }
  parts.push(text.slice(start));
  yield search.takeWork();
  return { parts, separators };
}

/** At blanks, tabs and line feeds, those at the ends left out. */
export function splitBlanks(text: string): string[] {
  const parts: string[] = [];
  let start = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isBlank = code === 32 || code === 9 || code === 10;
    if (isBlank && start !== -1) {
      parts.push(text.slice(start, at));
      start = -1;
    } else if (!isBlank && start === -1) start = at;
  }
  if (start !== -1) parts.push(text.slice(start));
  return parts;
}

/** What matches, as `FPAT` has it: between two fields there is at least a character. */
export function patternSplitter(regex: Regex, did: Did): Splitter {
  return (text) => atOnce(matchesIn(text, regex), did).parts;
}

export function* matchesIn(text: string, regex: Regex): InPieces<Separated> {
  const parts: string[] = [];
  const separators: string[] = [];
  let end = 0;
  let canBeEmpty = true;
  const search = new PausingSearch(text, regex);
  for (let at = 0; at <= text.length && text !== "";) {
    if (search.isTime) yield search.takeWork();
    const match = search.find(at);
    if (!match) break;
    const isEmpty = match.start === match.end;
    if (isEmpty && !canBeEmpty) {
      // Nothing is no field just behind another one.
      at = match.end + 1;
      canBeEmpty = true;
      continue;
    }
    separators.push(text.slice(end, match.start));
    parts.push(text.slice(match.start, match.end));
    end = match.end;
    at = isEmpty ? match.end + 1 : match.end;
    canBeEmpty = isEmpty;
  }
  separators.push(text.slice(end));
  yield search.takeWork();
  return { parts, separators };
}

/** By numbers of characters, as `FIELDWIDTHS` has them: `8 2:4 *`. Undefined where they are not valid. */
export function widthSplitter(widths: string): Splitter | undefined {
  const columns = splitBlanks(widths).map((each) => /^(?:(\d+):)?(\d+|\*)$/.exec(each));
  if (columns.some((column, at) => column === null || (column[2] === "*" && at < columns.length - 1))) return undefined;
  return (text) => {
    const chars = Array.from(text);
    const parts: string[] = [];
    let at = 0;
    for (const column of columns) {
      const [, skipped = "0", width = "*"] = column ?? [];
      if (at >= chars.length) break;
      at += Number(skipped);
      const end = width === "*" ? chars.length : at + Number(width);
      parts.push(chars.slice(at, end).join(""));
      at = end;
    }
    return parts;
  };
}
