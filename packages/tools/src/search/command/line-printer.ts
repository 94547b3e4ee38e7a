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
  /** Ends what is no line of a file as it is there. */
  readonly lineEnd: string;
  readonly paint: Paint;
}

/** What is printed of a line. */
interface Part {
  readonly text: string;
  /** Bytes before what matches first; undefined where nothing does. */
  readonly ahead: number | undefined;
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
    const { heading, name: named, paint, nul, lineEnd } = this.#style;
    if (heading && event.continued !== true) {
      this.#write(`${this.#isFirst ? "" : lineEnd}${named ? paint.name(name) + (nul ? "\0" : lineEnd) : ""}`);
      this.#last = undefined;
    }
    this.#isFirst = false;
    for (const line of event.lines) this.#line(name, line);
  }

  /** In place of the lines of a binary file. */
  binary(name: string, offset: number): void {
    const { name: named, paint } = this.#style;
    this.#isFirst = false;
    this.#write(
      `${named ? `${paint.name(name)}: ` : ""}binary file matches (found "\\0" byte around offset ${offset})\n`,
    );
  }

  #line(name: string, line: GrepLine): void {
    const { groupSeparator, paint, lineEnd } = this.#style;
    const isApart = this.#last && (this.#last.name !== name || line.line > this.#last.line + 1);
    if (isApart && groupSeparator !== undefined) this.#write(paint.mark(groupSeparator) + lineEnd);
    this.#last = { name, line: line.line };
    for (const part of this.#parts(line)) this.#print(name, line, part);
  }

  /** What of a line is printed, each on a line of its own. */
  #parts(line: GrepLine): readonly Part[] {
    const { only, eachMatch, emptyMatches, replace } = this.#style;
    const { text, spans } =
      replace && line.spans?.length ? replace(line) : { text: line.text, spans: line.spans ?? [] };
    // A line that was chosen for not matching has nothing to single out.
    if (spans.length === 0 && only && !emptyMatches) return [];
    if (spans.length === 0 || !(only || eachMatch)) return [{ text, ahead: bytesBefore(text, spans[0]), spans }];
    const own = line.continues && eachMatch ? spans.slice(1) : spans;
    if (!only) return own.map((span) => ({ text, ahead: bytesBefore(text, span), spans: [span] }));
    return own
      .filter(([from, to]) => emptyMatches || to > from)
      .map((span) => ({
        text: text.slice(...span),
        ahead: bytesBefore(text, span),
        spans: [[0, span[1] - span[0]] as const],
      }));
  }

  #print(name: string, line: GrepLine, { text: whole, ahead, spans }: Part): void {
    const { only, trim, paint, lineEnd } = this.#style;
    const indent = trim ? whole.length - whole.replace(/^[\t-\r ]+/, "").length : 0;
    const text = whole.slice(indent);
    const omitted = omittedLine(this.#style, line, text, spans);
    const moved = spans.map(([from, to]) => [from - indent, to - indent] as const);
    const painted = paintSpans(paint, text, moved);
    const isMade = (only && spans.length > 0) || omitted !== undefined || painted !== text || line.open;
    const end = isMade ? lineEnd : line.crlf ? "\r\n" : lineEnd.slice(-1);
    this.#write(this.#prefix(name, line, ahead) + (omitted ?? painted) + end);
  }

  #prefix(name: string, line: GrepLine, ahead: number | undefined): string {
    const { heading, nul, lineNumber, column, byteOffset, only, eachMatch, paint } = this.#style;
    const mark = paint.mark(line.match ? this.#style.matchMark : this.#style.contextMark);
    const named = this.#style.name && !heading;
    return [
      named ? paint.name(name) + (nul ? "\0" : mark) : "",
      lineNumber ? paint.number(String(line.line)) + mark : "",
      column && ahead !== undefined ? `${ahead + 1}${mark}` : "",
      byteOffset ? paint.offset(String((line.offset ?? 0) + (only || eachMatch ? (ahead ?? 0) : 0))) + mark : "",
    ].join("");
  }
}

function bytesBefore(text: string, span: Replaced["spans"][number] | undefined): number | undefined {
  return span && byteLength(text.slice(0, span[0]));
}
