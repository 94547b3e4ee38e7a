import type { GrepLine } from "@tenrec/protocol";
import { byteLength, cutText } from "../../cap-output.ts";
import type { LineStyle, Replaced } from "./line-printer.ts";

/** What is printed in place of a line that is too long; `undefined` for one that is not. */
export function omittedLine(
  style: LineStyle,
  line: GrepLine,
  text: string,
  spans: Replaced["spans"],
): string | undefined {
  const { maxColumns, only } = style;
  // The end of a line counts, where the line is printed whole.
  const end = (only && spans.length > 0) || line.open ? 0 : line.crlf ? 2 : 1;
  if (maxColumns === 0 || byteLength(text) + end <= maxColumns) return undefined;
  // All of the line's, wherever each is printed on its own. A line that was chosen for not matching has none.
  const matches = knowsMatches(style) ? (line.spans ?? []) : [];
  if (style.preview) return preview(text, maxColumns, matches.length > 0 ? spans : undefined);
  if (!only && matches.length > 0) return `[Omitted long line with ${matches.length} matches]`;
  return line.match ? "[Omitted long matching line]" : "[Omitted long context line]";
}

function knowsMatches({ column, only, eachMatch, replace }: LineStyle): boolean {
  return column || only || eachMatch || replace !== undefined;
}

function preview(text: string, length: number, spans: Replaced["spans"] | undefined): string {
  const shown = cutText(text, length);
  if (!spans) return `${shown} [... omitted end of long line]`;
  const more = spans.filter(([from]) => from >= shown.length).length;
  return `${shown} [... ${more} more match${more === 1 ? "" : "es"}]`;
}
