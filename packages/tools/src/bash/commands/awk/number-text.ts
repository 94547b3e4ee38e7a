import { general, specialText, wholeText } from "./decimal-text.ts";
import { formatOne } from "./format-number.ts";
import { parseFormat } from "./parse-format.ts";

/** As a text: whole ones with all of their digits, others by a format as that of `CONVFMT`. */
export function formatNumber(number: number, format: string): string {
  if (Number.isInteger(number)) return wholeText(number);
  if (!Number.isFinite(number)) return specialText(number);
  if (format === "%.6g") return general(number, 6, false, "e");
  return parseFormat(format)
    .parts.map((part) => {
      if (typeof part === "string") return part;
      const { flags, width, dot, kind } = part;
      const precision = dot === undefined ? -1 : Number(dot);
      if (kind === "s" || kind === "c") return general(number, 6, false, "e");
      return formatOne({ flags, width: Number(width), precision, kind }, number);
    })
    .join("");
}
