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
  if (maxColumns === 0 || byteLength(text) + endOf(style, line) <= maxColumns) return undefined;
  const knows = line.match && knowsMatches(style);
  if (style.preview) return preview(text, maxColumns, knows ? spans : undefined);
  if (!line.match) return "[Omitted long context line]";
  return knows && !only ? `[Omitted long line with ${spans.length} matches]` : "[Omitted long matching line]";
}

/** The end of a line counts, where the line is printed whole. */
function endOf({ only }: LineStyle, { open, crlf }: GrepLine): number {
  if (only || open) return 0;
  return crlf ? 2 : 1;
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
