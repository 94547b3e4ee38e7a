import { MAX_OUTPUT_BYTES, MAX_OUTPUT_LINES } from "@tenrec/protocol";

/** Room for what is said after the text. */
const NOTE_BYTES = 512;

/** The most that is shown at once. */
export const MAX_BYTE_WINDOW: number = MAX_OUTPUT_BYTES - NOTE_BYTES;

export interface ByteWindow {
  readonly text: string;
  /** Offsets of the first byte that is shown, and of the one behind the last. */
  readonly from: number;
  readonly to: number;
}

/**
 * The text of bytes that begin at `offset` of a file, without a part of a character at either end, and with no more lines
 * than an answer has.
 */
export function windowBytes(bytes: Uint8Array, offset: number, isLast: boolean): ByteWindow {
  let from = 0;
  while (from < 3 && from < bytes.length && isContinuation(bytes[from])) from += 1;
  const whole = isLast ? bytes.length : lastWhole(bytes);
  const to = Math.min(whole, endOfLines(bytes, from));
  const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes.subarray(from, to));
  return { text, from: offset + from, to: offset + to };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Where the last character ends that is whole. */
function lastWhole(bytes: Uint8Array): number {
  let start = bytes.length - 1;
  while (start > 0 && start > bytes.length - 4 && isContinuation(bytes[start])) start -= 1;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start > 0 && start + length > bytes.length ? start : bytes.length;
}

function endOfLines(bytes: Uint8Array, from: number): number {
  let at = from - 1;
  // Less two: what is said afterwards is a line too, and may follow on a line end.
  for (let lines = 0; lines < MAX_OUTPUT_LINES - 2; lines += 1) {
    at = bytes.indexOf(0x0a, at + 1);
    if (at === -1) return bytes.length;
  }
  return at + 1;
}
