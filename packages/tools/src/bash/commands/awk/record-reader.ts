import type { Regex, Regexes } from "./regex/regex.ts";
import type { Span } from "./regex/automaton.ts";
import type { Search } from "./regex/search.ts";

/** Records of a text, one after another. `RS` may be another one each time. */
export class RecordReader {
  readonly #text: string;
  readonly #regexes: Regexes;
  #at = 0;
  /** What ended the last record. */
  terminator = "";
  #work = 0;
  #regex: Regex | undefined;
  #search: Search | undefined;

  constructor(text: string, regexes: Regexes) {
    this.#text = text;
    this.#regexes = regexes;
  }

  /** About how much was done to find ends of records since this was asked, in the measure of the machine. */
  takeWork(): number {
    const work = this.#work;
    this.#work = 0;
    return work;
  }

  /** What was not read yet. */
  rest(): string {
    const rest = this.#text.slice(this.#at);
    this.#at = this.#text.length;
    return rest;
  }

  /** The next record; undefined at the end. */
  read(separator: string, ignoreCase: boolean): string | undefined {
    const text = this.#text;
    if (this.#at >= text.length) return undefined;
    if (separator === "") return this.#paragraph();
    if (separator.length > 1) return this.#untilMatch(separator, ignoreCase);
    const end = text.indexOf(separator, this.#at);
    return this.#take(end, end === -1 ? text.length : end + 1);
  }

  #take(end: number, next: number): string {
    const stop = end === -1 ? this.#text.length : end;
    const record = this.#text.slice(this.#at, stop);
    this.terminator = this.#text.slice(stop, next);
    this.#at = next;
    return record;
  }

  /** Lines up to an empty one. */
  #paragraph(): string | undefined {
    const text = this.#text;
    while (text[this.#at] === "\n") this.#at++;
    if (this.#at >= text.length) return undefined;
    const end = text.indexOf("\n\n", this.#at);
    if (end === -1) return this.#take(text.endsWith("\n") ? text.length - 1 : -1, text.length);
    let next = end;
    while (text[next] === "\n") next++;
    return this.#take(end, next);
  }

  #untilMatch(separator: string, ignoreCase: boolean): string {
    const regex = this.#regexes.get(separator, ignoreCase);
    const search = this.#searchOf(regex);
    const { work } = search;
    const found = this.#nextMatch(search);
    this.#work += (search.work - work) >> 3;
    return found ? this.#take(found.start, found.end) : this.#take(-1, this.#text.length);
  }

  /** One for all of the text, as long as the separator is the same. */
  #searchOf(regex: Regex): Search {
    if (!this.#search || this.#regex !== regex) this.#search = regex.search(this.#text);
    this.#regex = regex;
    return this.#search;
  }

  /** The next one that is not empty. */
  #nextMatch(search: Search): Span | undefined {
    for (let from = this.#at; from <= this.#text.length;) {
      const match = search.find(from);
      if (!match) break;
      if (match.end > match.start) return match;
      from = match.end + 1;
    }
    return undefined;
  }
}
