import type { LineStyle } from "../command/line-printer.ts";
import { NO_PAINT, RIPGREP_PAINT } from "../command/paint.ts";
import type { Options } from "../command/read-options.ts";
import type { RgCall } from "./rg-call.ts";
import { numberOf } from "./rg-options.ts";

/** `\n`, `\t` and the like in a separator. */
function unescape(text: string): string {
  const named: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "0": "\0", "\\": "\\" };
  return text.replaceAll(/\\(?:x([0-9A-Fa-f]{2})|([nrt0\\]))/g, (_all, hex?: string, char = "") =>
    hex === undefined ? (named[char] ?? "") : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function paintOf(options: Options): LineStyle["paint"] {
  const color = options.last("color", "pretty");
  return color?.name === "pretty" || color?.value === "always" || color?.value === "ansi" ? RIPGREP_PAINT : NO_PAINT;
}

/** `namesFiles`: more than one file may be searched. */
export function styleOf(call: RgCall, namesFiles: boolean): Omit<LineStyle, "replace"> {
  const { options, query } = call;
  const vimgrep = options.has("vimgrep");
  const column = options.isOn("column", "no-column") || (vimgrep && !options.has("no-column"));
  const name = options.last("with-filename", "no-filename");
  return {
    name: name === undefined ? vimgrep || namesFiles : name.name === "with-filename",
    heading: !vimgrep && (options.isOn("heading", "no-heading") || options.isOn("pretty", "no-heading")),
    lineNumber: numbersLines(options, column),
    column,
    byteOffset: options.isOn("byte-offset", "no-byte-offset"),
    only: options.has("only-matching"),
    // Where a match may go over lines, what it has of one is printed only if that is something.
    emptyMatches: !query.multiline,
    eachMatch: vimgrep,
    maxColumns: numberOf(options, "max-columns") ?? 0,
    preview: options.isOn("max-columns-preview", "no-max-columns-preview"),
    trim: options.isOn("trim", "no-trim"),
    nul: options.has("null"),
    ...separatorsOf(call),
    lineEnd: query.crlf ? "\r\n" : "\n",
    paint: paintOf(options),
  };
}

function numbersLines(options: Options, column: boolean): boolean {
  const given = options.last("line-number", "no-line-number");
  return given === undefined ? column || options.has("vimgrep", "pretty") : given.name === "line-number";
}

function separatorsOf({ options, query }: RgCall): Pick<LineStyle, "matchMark" | "contextMark" | "groupSeparator"> {
  const separator = options.last("context-separator", "no-context-separator");
  const hasContext = (query.before ?? 0) + (query.after ?? 0) > 0;
  const groupSeparator = separator?.name === "context-separator" ? unescape(separator.value) : "--";
  return {
    matchMark: unescape(options.last("field-match-separator")?.value ?? ":"),
    contextMark: unescape(options.last("field-context-separator")?.value ?? "-"),
    ...(hasContext && separator?.name !== "no-context-separator" ? { groupSeparator } : {}),
  };
}
