import type { GrepFile, GrepLine } from "@tenrec/protocol";
import { byteLength } from "../../cap-output.ts";
import { omittedLine } from "./omitted-line.ts";
import { type Paint, paintSpans } from "./paint.ts";

/** A line with something in place of what matched, and where that is. */
export interface Replaced {
  readonly text: string;
  readonly spans: readonly (readonly [start: number, end: number])[];
}

/** How lines are printed. */
export interface LineStyle {
  readonly name: boolean;
  /** The name on a line of its own before those of its file. */
  readonly heading: boolean;
  readonly lineNumber: boolean;
  readonly column: boolean;
  readonly byteOffset: boolean;
  /** Only what matches. */
  readonly only: boolean;
  /** Empty matches as well, with `only`. */
  readonly emptyMatches: boolean;
  /** The line once for each of its matches. */
  readonly eachMatch: boolean;
  readonly replace?: (line: GrepLine) => Replaced;
  /** Longer lines are left out, or with `preview` cut; 0 for any. */
  readonly maxColumns: number;
  readonly preview: boolean;
  readonly trim: boolean;
  /** A NUL behind names. */
  readonly nul: boolean;
  readonly matchMark: string;
  readonly contextMark: string;
  /** Between groups of lines that do not follow each other; none without context. */
  readonly groupSeparator?: string;
  /** What matches ends where the line does with its carriage return. */
  readonly crlf: boolean;
  readonly lineEnd: string;
  readonly paint: Paint;
}

/** What is printed of a line. */
interface Part {
  readonly text: string;
  /** Where in the line it begins to match. */
  readonly start: number | undefined;
  readonly spans: Replaced["spans"];
}

export class LinePrinter {
  readonly #style: LineStyle;
  readonly #write: (text: string) => void;
  #last: { readonly name: string; readonly line: number } | undefined;
  #isFirst = true;

  constructor(style: LineStyle, write: (text: string) => void) {
    this.#style = style;
    this.#write = write;
  }

  lines(name: string, event: GrepFile): void {
    const { heading, name: named, paint } = this.#style;
    if (heading && event.continued !== true) {
      this.#write(`${this.#isFirst ? "" : "\n"}${named ? `${paint.name(name)}\n` : ""}`);
      this.#last = undefined;
    }
    this.#isFirst = false;
    for (const line of event.lines) this.#line(name, line);
  }

  #line(name: string, line: GrepLine): void {
    const { groupSeparator, paint, lineEnd } = this.#style;
    const isApart = this.#last && (this.#last.name !== name || line.line > this.#last.line + 1);
    if (isApart && groupSeparator !== undefined) this.#write(paint.mark(groupSeparator) + lineEnd);
    this.#last = { name, line: line.line };
    for (const part of line.match ? this.#parts(line) : [{ text: line.text, start: undefined, spans: [] }])
      this.#print(name, line, part);
  }

  /** What of a line that matches is printed, each on a line of its own. */
  #parts(line: GrepLine): readonly Part[] {
    const { only, eachMatch, emptyMatches, replace } = this.#style;
    const { text, spans } =
      replace && line.spans?.length ? replace(line) : { text: line.text, spans: line.spans ?? [] };
    // A line that was chosen for not matching has nothing to single out.
    if (spans.length === 0 || !(only || eachMatch)) return [{ text, start: spans[0]?.[0], spans }];
    const own = line.continues && eachMatch ? spans.slice(1) : spans;
    if (!only) return own.map((span) => ({ text, start: span[0], spans: [span] }));
    return own
      .filter(([from, to]) => emptyMatches || to > from)
      .map(([from, to]) => ({ text: text.slice(from, to), start: from, spans: [[0, to - from] as const] }));
  }

  #print(name: string, line: GrepLine, { text: whole, start, spans }: Part): void {
    const { only, crlf, trim, paint, lineEnd } = this.#style;
    const indent = trim ? whole.length - whole.trimStart().length : 0;
    const text = whole.slice(indent);
    const omitted = omittedLine(this.#style, line, text, spans);
    const isBlank = trim && text === "";
    const end = (only || isBlank || omitted !== undefined ? crlf : line.crlf) ? `\r${lineEnd}` : lineEnd;
    const moved = spans.map(([from, to]) => [from - indent, to - indent] as const);
    this.#write(this.#prefix(name, line, start) + (omitted ?? paintSpans(paint, text, moved)) + end);
  }

  #prefix(name: string, line: GrepLine, start: number | undefined): string {
    const { heading, nul, lineNumber, column, byteOffset, only, eachMatch, paint } = this.#style;
    const mark = paint.mark(line.match ? this.#style.matchMark : this.#style.contextMark);
    const ahead = start === undefined ? 0 : byteLength(line.text.slice(0, start));
    const named = this.#style.name && !heading;
    return [
      named ? paint.name(name) + (nul ? "\0" : mark) : "",
      lineNumber ? paint.number(String(line.line)) + mark : "",
      column && start !== undefined ? `${ahead + 1}${mark}` : "",
      byteOffset ? paint.offset(String((line.offset ?? 0) + (only || eachMatch ? ahead : 0))) + mark : "",
    ].join("");
  }
}
