import type { GrepFile, GrepLine } from "@tenrec/protocol";
import { toModelPath } from "../workspace-path.ts";
import type { Page } from "./grep-input.ts";

/** A line of an answer, and whether it is one of the matches that are counted. */
export interface ShownLine {
  readonly text: string;
  readonly counts: boolean;
}

/** The part of a search that an answer shows: matches behind `offset`, at most `limit`, and the lines around them. */
export class GrepPage {
  readonly lines: ShownLine[] = [];
  /** Matches so far, those before the page too. */
  found = 0;
  /** Matching lines, with `mode: "count"`. */
  total = 0;
  /** There are more behind the page. */
  more = false;
  readonly #page: Page;
  /** The last line of this file that was shown. */
  #last: number | undefined;
  /** The last match of this file that is shown. */
  #match: number | undefined;
  /** Lines of context that may stand before the next match. */
  #ahead: GrepLine[] = [];

  constructor(page: Page) {
    this.#page = page;
  }

  /** Takes in what was found next; false when nothing more is wanted. */
  add(event: GrepFile): boolean {
    const { mode } = this.#page;
    const name = toModelPath(event.path);
    if (mode === "files") this.#one(name);
    else if (mode === "count") {
      this.total += event.matches;
      this.#one(`${name}: ${event.matches}`);
    } else if (event.binary !== undefined && event.lines.length === 0) this.#one(`${name}: is binary, and matches`);
    else this.#content(event, name);
    return !this.more;
  }

  #one(text: string): void {
    const { offset, limit } = this.#page;
    if (this.found === offset + limit) this.more = true;
    else if (this.found++ >= offset) this.lines.push({ text, counts: true });
  }

  #content(event: GrepFile, name: string): void {
    const { offset, limit, before, after } = this.#page;
    if (!event.continued) {
      this.#last = undefined;
      this.#match = undefined;
      this.#ahead = [];
    }
    for (const line of event.lines) {
      if (!line.match) {
        if (this.#match !== undefined && line.line <= this.#match + after) this.#show(line, name);
        else if (before > 0) this.#ahead = [...this.#ahead, line].slice(-before);
        continue;
      }
      if (this.found === offset + limit) {
        this.more = true;
        return;
      }
      if (this.found++ < offset) continue;
      for (const ahead of this.#ahead) if (ahead.line >= line.line - before) this.#show(ahead, name);
      this.#ahead = [];
      this.#show(line, name);
      this.#match = line.line;
    }
  }

  #show({ line, text, cut, skipped, match }: GrepLine, name: string): void {
    const { before, after } = this.#page;
    const isApart = this.#last === undefined ? this.lines.length > 0 : line > this.#last + 1;
    if (before + after > 0 && isApart) this.lines.push({ text: "--", counts: false });
    const mark = match ? ":" : "-";
    const shown = `${name}${mark}${line}${mark} ${skipped ? "[cut] …" : ""}${text}${cut ? "… [cut]" : ""}`;
    this.lines.push({ text: shown, counts: match });
    this.#last = line;
  }
}
