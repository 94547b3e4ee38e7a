import { MAX_OUTPUT_BYTES, MAX_OUTPUT_LINES } from "@tenrec/protocol";
import type { SavedOutputs } from "./tool-ports.ts";

export interface OutputCaps {
  readonly lines: number;
  readonly bytes: number;
}

/** Room for the line that says how to read on. */
const HINT_BYTES = 512;

export const OUTPUT_CAPS: OutputCaps = { lines: MAX_OUTPUT_LINES, bytes: MAX_OUTPUT_BYTES };

const encoder: TextEncoder = new TextEncoder();

/** Bytes of a text in UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).byteLength;
}

/** How many of `lines` fit, from the first one on. `from` takes them from the last one on instead. */
export function countFitting(lines: readonly string[], caps: OutputCaps, from: "start" | "end" = "start"): number {
  // A UTF-16 unit is at most three bytes.
  const most = lines.reduce((sum, line) => sum + line.length * 3 + 1, 0);
  if (lines.length <= caps.lines && most <= caps.bytes) return lines.length;
  let bytes = 0;
  let count = 0;
  while (count < lines.length && count < caps.lines) {
    const line = lines[from === "start" ? count : lines.length - 1 - count] ?? "";
    bytes += byteLength(line) + 1;
    if (bytes > caps.bytes) break;
    count += 1;
  }
  return count;
}

/**
 * Text within the output caps. What is too long keeps its beginning and, mostly, its end, where a command says how it went;
 * all of it is saved, and the line between the two says where.
 */
export function capOutput(raw: string, outputs: SavedOutputs, caps: OutputCaps = OUTPUT_CAPS): string {
  const text = outputs.clean?.(raw) ?? raw;
  if (byteLength(text) <= caps.bytes && countLines(text) <= caps.lines) return text;
  const room = { lines: caps.lines - 1, bytes: caps.bytes - HINT_BYTES };
  const lines = text.split("\n").map((line) => cutLine(line, Math.floor(room.bytes / 5)));
  const head = countFitting(lines, { lines: Math.floor(room.lines / 5), bytes: Math.floor(room.bytes / 5) });
  const rest = lines.slice(head);
  const tail = countFitting(
    rest,
    { lines: Math.floor((room.lines * 4) / 5), bytes: Math.floor((room.bytes * 4) / 5) },
    "end",
  );
  const left = rest.length - tail;
  const hint = `[${left} of ${lines.length} lines left out; read path="${outputs.save(text)}" offset=${head + 1} shows them]`;
  return [...lines.slice(0, head), hint, ...rest.slice(left)].join("\n");
}

/** A line of at most about `max` bytes, with a note of how much was cut. */
export function cutLine(line: string, max: number): string {
  if (line.length * 3 <= max || byteLength(line) <= max) return line;
  const kept = cutText(line, Math.floor(max / 4));
  return `${kept}… [${line.length - kept.length} more characters]`;
}

/** The first `length` UTF-16 units, one fewer where that would split a character. */
export function cutText(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  const splits = text.length > length && last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splits ? length - 1 : length);
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return text.endsWith("\n") ? count - 1 : count;
}
