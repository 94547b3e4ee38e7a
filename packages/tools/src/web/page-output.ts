import { byteLength, countFitting, OUTPUT_CAPS } from "../cap-output.ts";
import type { SavedOutputs } from "../tool-ports.ts";

/** The `read` tool cuts longer lines, so they are broken where they are saved. */
const MAX_LINE = 1500;

/** Kept for the line that says how to read on. */
const HINT_BYTES = 512;

/**
 * The head of an answer and as much of its text as fits, from the start. All of a longer text is saved, in lines that `read`
 * shows whole, and the last line says how to go on.
 */
export function pageOutput(head: string, raw: string, outputs: SavedOutputs): string {
  const text = outputs.clean?.(raw) ?? raw;
  const taken = byteLength(head) + 1;
  const whole = text.split("\n");
  if (taken + byteLength(text) <= OUTPUT_CAPS.bytes && whole.length <= OUTPUT_CAPS.lines - 20)
    return `${head}\n${text}`;
  const lines = whole.flatMap(breakLine);
  const shown = countFitting(lines, {
    lines: OUTPUT_CAPS.lines - 20,
    bytes: OUTPUT_CAPS.bytes - HINT_BYTES - taken,
  });
  const path = outputs.save(lines.join("\n"));
  const hint = `[lines 1-${shown} of ${lines.length} shown; read path="${path}" offset=${shown + 1} reads on]`;
  return [head, ...lines.slice(0, shown), hint].join("\n");
}

/** At blanks where there are some, never within a character. */
function breakLine(line: string): string[] {
  if (line.length <= MAX_LINE) return [line];
  const parts: string[] = [];
  let at = 0;
  while (line.length - at > MAX_LINE) {
    const part = line.slice(at, at + MAX_LINE);
    const blank = part.lastIndexOf(" ");
    const isHigh = /[\uD800-\uDBFF]$/.test(part);
    const end = at + (blank > MAX_LINE / 2 ? blank + 1 : MAX_LINE - (isHigh ? 1 : 0));
    parts.push(line.slice(at, end));
    at = end;
  }
  parts.push(line.slice(at));
  return parts;
}
