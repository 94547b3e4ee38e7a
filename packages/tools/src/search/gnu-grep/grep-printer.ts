import type { GrepReport } from "@tenrec/protocol";
import type { Finding } from "../command/find-in-operands.ts";
import { LinePrinter, type LineStyle } from "../command/line-printer.ts";
import { GREP_PAINT, NO_PAINT } from "../command/paint.ts";
import type { Printed } from "../command/printed.ts";
import type { Options } from "../command/read-options.ts";
import { binaryFilesOf, contextOf } from "./grep-options.ts";

/** What a run printed, and how it went. */
export interface GrepRun {
  readonly out: Printed;
  /** What is said on stderr. */
  readonly errors: string[];
  failed: boolean;
  matched: boolean;
  quiet: boolean;
  silent: boolean;
}

/** Matches are painted. */
export function paints(options: Options): boolean {
  return ["always", "yes", "force"].includes(options.last("color", "colour")?.value ?? "");
}

/** Prints what is found. `named`: more than one file may be searched. */
export class GrepPrinter {
  readonly #options: Options;
  readonly #report: GrepReport;
  readonly #named: boolean;
  readonly #run: GrepRun;
  readonly #style: LineStyle;
  readonly #lines: LinePrinter;
  readonly #swaps: boolean;

  constructor(options: Options, report: GrepReport, named: boolean, run: GrepRun) {
    const name = options.last("with-filename", "no-filename")?.name;
    this.#options = options;
    this.#report = report;
    this.#named = name === undefined ? named : name === "with-filename";
    this.#run = run;
    this.#swaps = options.has("null-data");
    this.#style = styleOf(options, this.#named);
    this.#lines = new LinePrinter(this.#style, (text) => this.#write(text));
  }

  #write(text: string): void {
    if (!this.#run.quiet) this.#run.out.add(text);
  }

  add({ name, event }: Extract<Finding, { type: "file" }>): void {
    const { paint, nul } = this.#style;
    const isWithout = this.#report === "files-without-match";
    if (event.matches > 0) this.#run.matched = true;
    if (isWithout && event.matches > 0) return;
    if (this.#report === "files" || isWithout) this.#write(paint.name(name) + (nul ? "\0" : "\n"));
    else if (this.#report === "count")
      this.#write(`${this.#named ? paint.name(name) + (nul ? "\0" : paint.mark(":")) : ""}${event.matches}\n`);
    else if (event.binary !== undefined && event.lines.length === 0) {
      if (!this.#isBinaryLeftOut()) this.#run.errors.push(`grep: ${name}: binary file matches\n`);
      else if (event.continued !== true) this.#run.matched = false;
    } else {
      const lines = this.#swaps
        ? event.lines.map((line) => ({ ...line, text: line.text.replaceAll("\0", "\n") }))
        : event.lines;
      this.#lines.lines(name, { ...event, lines });
    }
  }

  #isBinaryLeftOut(): boolean {
    return binaryFilesOf(this.#options) === "without-match";
  }
}

function styleOf(options: Options, name: boolean): LineStyle {
  const { before, after } = contextOf(options);
  const separator = options.last("group-separator", "no-group-separator");
  const hasGroups = before + after > 0 && separator?.name !== "no-group-separator";
  return {
    name,
    heading: false,
    lineNumber: options.has("line-number"),
    column: false,
    byteOffset: options.has("byte-offset"),
    only: options.has("only-matching"),
    emptyMatches: false,
    eachMatch: false,
    maxColumns: 0,
    preview: false,
    trim: false,
    nul: options.has("null"),
    matchMark: ":",
    contextMark: "-",
    ...(hasGroups ? { groupSeparator: separator?.value ?? "--" } : {}),
    lineEnd: options.has("null-data") ? "\0" : "\n",
    paint: paints(options) ? GREP_PAINT : NO_PAINT,
  };
}
