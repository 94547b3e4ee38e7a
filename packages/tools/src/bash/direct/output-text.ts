import { latin1 } from "../encoding.ts";

export type Chunk = string | Uint8Array;

/** What a command line prints, up to a limit. */
export class OutputText {
  /** More came than it may print. */
  isFull = false;
  readonly #stdout: Chunk[] = [];
  readonly #stderr: string[] = [];
  readonly #max: number;
  #bytes = 0;

  /** `max` is in bytes. */
  constructor(max: number) {
    this.#max = max;
  }

  add(stream: "stdout" | "stderr" | "nowhere", chunk: Chunk): void {
    if (stream === "nowhere" || chunk.length === 0 || !this.fits(chunk)) return;
    this.#bytes += sizeOf(chunk);
    if (stream === "stdout") this.#stdout.push(chunk);
    else this.#stderr.push(typeof chunk === "string" ? chunk : textOf([chunk]));
  }

  /** Whether there is room for this too; when there is not, that is the end. */
  fits(chunk: Chunk): boolean {
    if (this.isFull || chunk.length > this.#max - this.#bytes || sizeOf(chunk) > this.#max - this.#bytes) {
      if (!this.isFull)
        this.#stderr.push(`bash: output size limit exceeded (${this.#max} bytes); do less in one command\n`);
      this.isFull = true;
    }
    return !this.isFull;
  }

  texts(): { readonly stdout: string; readonly stderr: string } {
    return { stdout: textOf(this.#stdout), stderr: this.#stderr.join("") };
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

/** What is not UTF-8 is shown a character for each byte, as just-bash does. */
function textOf(chunks: readonly Chunk[]): string {
  if (chunks.every((chunk) => typeof chunk === "string")) return chunks.join("");
  const bytes = chunkBytes(chunks);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return latin1(bytes);
  }
}

function sizeOf(chunk: Chunk): number {
  return typeof chunk === "string" ? new TextEncoder().encode(chunk).length : chunk.length;
}
