import { shownText } from "../encoding.ts";
import { overLimit } from "./endings.ts";
import type { Sink } from "./sinks.ts";

export type Chunk = string | Uint8Array;

/** What a command line prints, up to a limit. */
export class OutputText {
  readonly stdout: Sink = { write: (chunk) => this.#add(chunk, this.#stdout) };
  readonly stderr: Sink = { write: (chunk) => this.#add(chunk, this.#stderr) };
  readonly #stdout: Chunk[] = [];
  readonly #stderr: Chunk[] = [];
  readonly #max: number;
  #bytes = 0;

  /** `max` is in bytes. */
  constructor(max: number) {
    this.#max = max;
  }

  texts(): { readonly stdout: string; readonly stderr: string } {
    return { stdout: textOf(this.#stdout), stderr: this.#stderr.map((chunk) => textOf([chunk])).join("") };
  }

  #add(chunk: Chunk, to: Chunk[]): void {
    if (chunk.length === 0) return;
    const size = sizeOf(chunk);
    if (size > this.#max - this.#bytes) throw overLimit(`output size limit exceeded (${this.#max} bytes)`);
    this.#bytes += size;
    to.push(chunk);
  }
}

export function chunkBytes(chunks: readonly Chunk[]): Uint8Array {
  const parts = chunks.map((chunk) => (typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk));
  const [first = new Uint8Array()] = parts;
  if (parts.length < 2) return first;
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export function textOf(chunks: readonly Chunk[]): string {
  return chunks.every((chunk) => typeof chunk === "string") ? chunks.join("") : shownText(chunkBytes(chunks));
}

/** In bytes. */
export function sizeOf(chunk: Chunk): number {
  if (typeof chunk !== "string") return chunk.length;
  let size = chunk.length;
  for (let at = 0; at < chunk.length; at++) {
    const unit = chunk.charCodeAt(at);
    // A character of two units has four bytes.
    if (unit > 0x7f) size += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return size;
}
