import { MAX_OUTPUT_BYTES, MAX_OUTPUT_LINES } from "@tenrec/protocol";
import { byteLength, cutText } from "../cap-output.ts";
import { LineStarts } from "./line-starts.ts";

/** A line is shown up to this many characters. */
const MAX_LINE_LENGTH = 2000;

/** Room for what is said after the lines. */
const NOTE_BYTES = 512;

export interface LineWindow {
  /** Numbered, ready to show. */
  readonly lines: readonly string[];
  /** Lines there are; undefined when reading stopped before the end. */
  readonly total?: number;
  /** Lines that were cut, and where in the file, in bytes, the rest of each begins. */
  readonly cut: readonly CutLine[];
}

interface CutLine {
  readonly line: number;
  readonly rest: number;
}

/**
 * Lines `offset` (from 1) to at most `offset + limit - 1` of a file that comes in pieces, within the output caps. Takes no
 * more pieces than it needs, and holds no more of a line than is shown.
 */
export async function windowLines(
  pieces: AsyncIterable<Uint8Array>,
  offset: number,
  limit: number,
): Promise<LineWindow> {
  const collector = new LineCollector(offset, Math.min(limit, MAX_OUTPUT_LINES));
  const starts = new LineStarts(offset, MAX_OUTPUT_LINES);
  // Fatal decoding is for those who write back; a reader sees U+FFFD in place of bytes that are not UTF-8.
  const decoder = new TextDecoder();
  const found = (): Omit<LineWindow, "total"> => ({
    lines: collector.lines,
    cut: collector.cut.map(({ line, shown }) => ({ line, rest: starts.of(line) + shown })),
  });
  for await (const piece of pieces) {
    starts.add(piece);
    collector.add(decoder.decode(piece, { stream: true }));
    if (collector.full) return found();
  }
  collector.add(decoder.decode());
  collector.end();
  return collector.full ? found() : { ...found(), total: collector.number - 1 };
}

class LineCollector {
  readonly lines: string[] = [];
  /** The line being read, from 1. */
  number = 1;
  /** Lines that were cut, with the bytes of them that are shown. */
  readonly cut: { readonly line: number; readonly shown: number }[] = [];
  /** A line was refused: there is more than what was asked for or than what fits. */
  full = false;
  #text = "";
  #length = 0;
  #bytes = 0;
  readonly #offset: number;
  readonly #limit: number;

  constructor(offset: number, limit: number) {
    this.#offset = offset;
    this.#limit = limit;
  }

  add(text: string): void {
    let start = 0;
    while (!this.full) {
      const end = text.indexOf("\n", start);
      this.#extend(text, start, end === -1 ? text.length : end);
      if (end === -1) return;
      this.#finish();
      start = end + 1;
    }
  }

  /** A last line without a line end. */
  end(): void {
    if (this.#length > 0 && !this.full) this.#finish();
  }

  #extend(text: string, start: number, end: number): void {
    this.#length += end - start;
    const room = MAX_LINE_LENGTH + 1 - this.#text.length;
    if (this.number >= this.#offset && room > 0) this.#text += text.slice(start, Math.min(end, start + room));
  }

  #finish(): void {
    if (this.number >= this.#offset) this.#keep();
    if (this.full) return;
    this.number += 1;
    this.#text = "";
    this.#length = 0;
  }

  #keep(): void {
    const over = this.#length - MAX_LINE_LENGTH;
    const kept = over > 0 ? cutText(this.#text, MAX_LINE_LENGTH) : this.#text;
    const shown = over > 0 ? `${kept}… [${this.#length - kept.length} more characters]` : kept;
    const line = `${this.number}\t${shown.endsWith("\r") ? shown.slice(0, -1) : shown}`;
    const bytes = byteLength(line) + 1;
    this.full = this.lines.length >= this.#limit || this.#bytes + bytes > MAX_OUTPUT_BYTES - NOTE_BYTES;
    if (this.full) return;
    if (over > 0) this.cut.push({ line: this.number, shown: byteLength(kept) });
    this.#bytes += bytes;
    this.lines.push(line);
  }
}
