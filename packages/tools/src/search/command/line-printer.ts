import type { GrepFile, GrepLine } from "@tenrec/protocol";
import { byteLength, cutText } from "../../cap-output.ts";
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
    const { only, eachMatch, groupSeparator, emptyMatches, replace, paint } = this.#style;
    const isApart = this.#last && (this.#last.name !== name || line.line > this.#last.line + 1);
    if (isApart && groupSeparator !== undefined) this.#write(`${paint.mark(groupSeparator)}${this.#style.lineEnd}`);
    this.#last = { name, line: line.line };
    const replaced = line.match && replace && line.spans?.length ? replace(line) : undefined;
    const text = replaced?.text ?? line.text;
    const all = replaced?.spans ?? line.spans ?? [];
    const spans = line.continues && eachMatch ? all.slice(1) : all;
    // A line that was chosen for not matching has nothing to single out.
    if (line.match && all.length === 0) this.#print(name, line, text, undefined, []);
    else if (line.match && only) {
      for (const span of spans)
        if (emptyMatches || span[1] > span[0]) this.#print(name, line, text.slice(...span), span[0], [span]);
    } else if (line.match && eachMatch) for (const span of spans) this.#print(name, line, text, span[0], [span]);
    else this.#print(name, line, text, spans[0]?.[0], line.match ? spans : []);
  }

  #print(name: string, line: GrepLine, whole: string, start: number | undefined, spans: Replaced["spans"]): void {
    const { only, crlf, trim, paint, lineEnd } = this.#style;
    const indent = trim ? whole.length - whole.trimStart().length : 0;
    const text = whole.slice(indent);
    const prefix = this.#prefix(name, line, start);
    const omitted = this.#omitted(line, text, spans);
    const isBlank = trim && text === "";
    const end = (only || isBlank || omitted !== undefined ? crlf : line.crlf) ? `\r${lineEnd}` : lineEnd;
    const moved = only ? [[0, text.length] as const] : spans.map(([from, to]) => [from - indent, to - indent] as const);
    this.#write(prefix + (omitted ?? paintSpans(paint, text, line.match ? moved : [])) + end);
  }

  #prefix(name: string, line: GrepLine, start: number | undefined): string {
    const { name: named, heading, nul, lineNumber, column, byteOffset, only, paint } = this.#style;
    const mark = paint.mark(line.match ? this.#style.matchMark : this.#style.contextMark);
    let prefix = named && !heading ? paint.name(name) + (nul ? "\0" : mark) : "";
    if (lineNumber) prefix += paint.number(String(line.line)) + mark;
    const ahead = column || (byteOffset && only) ? byteLength(line.text.slice(0, start ?? 0)) : 0;
    if (column && line.match && start !== undefined) prefix += `${ahead + 1}${mark}`;
    if (byteOffset) prefix += `${(line.offset ?? 0) + (only && line.match ? ahead : 0)}${mark}`;
    return prefix;
  }

  /** What is printed in place of a line that is too long. */
  #omitted(line: GrepLine, text: string, spans: Replaced["spans"]): string | undefined {
    const { maxColumns, preview, column, only, eachMatch, replace } = this.#style;
    // The end of a line counts, where the line is printed whole.
    const end = only || line.open ? 0 : line.crlf ? 2 : 1;
    if (maxColumns === 0 || byteLength(text) + end <= maxColumns) return undefined;
    const knowsMatches = line.match && (column || only || eachMatch || replace !== undefined);
    if (preview) {
      const shown = cutText(text, maxColumns);
      const more = spans.filter(([from]) => from >= shown.length).length;
      return `${shown}${knowsMatches ? ` [... ${more} more match${more === 1 ? "" : "es"}]` : " [... omitted end of long line]"}`;
    }
    if (!line.match) return "[Omitted long context line]";
    return knowsMatches && !only ? `[Omitted long line with ${spans.length} matches]` : "[Omitted long matching line]";
  }
}
