import type { CommandInput } from "../shell-command.ts";
import { type Chunk, chunkBytes, textOf } from "./output-text.ts";

const NEWLINE = 10;

/** What is read from standard input, by one command after another: each begins where the last one left off. */
export class Input {
  /** The file that it was read from. */
  readonly path: string | undefined;
  #chunks: readonly Chunk[];
  /** Once it was read by lines. */
  #bytes: Uint8Array | undefined;
  #at = 0;

  constructor(chunks: readonly Chunk[], path?: string) {
    this.#chunks = chunks;
    this.path = path;
  }

  /** The next line without its end; undefined at the end. */
  line(): { readonly text: string; readonly isEnded: boolean } | undefined {
    this.#bytes ??= chunkBytes(this.#chunks);
    const bytes = this.#bytes;
    if (this.#at >= bytes.length) return undefined;
    const end = bytes.indexOf(NEWLINE, this.#at);
    const line = bytes.subarray(this.#at, end === -1 ? bytes.length : end);
    this.#at = end === -1 ? bytes.length : end + 1;
    return { text: textOf([line]), isEnded: end !== -1 };
  }

  /** What is left, for a command that reads all of it when it reads. */
  rest(): CommandInput {
    let taken: readonly Chunk[] | undefined;
    const take = (): readonly Chunk[] => {
      taken ??= this.#take();
      return taken;
    };
    return {
      bytes: () => chunkBytes(take()),
      text: () => {
        const chunks = take();
        return chunks.every((chunk) => typeof chunk === "string") ? chunks.join("") : decode(chunkBytes(chunks));
      },
    };
  }

  #take(): readonly Chunk[] {
    const chunks = this.#bytes ? [this.#bytes.subarray(this.#at)] : this.#chunks;
    this.#bytes = undefined;
    this.#chunks = [];
    return chunks;
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
}
