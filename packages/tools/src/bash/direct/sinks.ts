import type { IFileSystem } from "just-bash/browser";
import { MAX_OUTPUT_BYTES } from "../limits.ts";
import { problemOf } from "../problem-of.ts";
import { overLimit } from "./endings.ts";
import { type Chunk, chunkBytes, sizeOf } from "./output-text.ts";
import type { Run } from "./shell-state.ts";

/** Where something is printed to. */
export interface Sink {
  write(chunk: Chunk): void;
}

export const NOWHERE: Sink = { write: () => undefined };

/** What is read by the next command in a pipe, or becomes the text of a substitution. */
export class Buffered implements Sink {
  readonly chunks: Chunk[] = [];
  #bytes = 0;

  write(chunk: Chunk): void {
    if (chunk.length === 0) return;
    this.#bytes += sizeOf(chunk);
    if (this.#bytes > MAX_OUTPUT_BYTES) throw overLimit(`output size limit exceeded (${MAX_OUTPUT_BYTES} bytes)`);
    this.chunks.push(chunk);
  }
}

/** Most that is held of a file until it is written. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;

/** A file that is open for writing. What is written to it is held until something may read it. */
export class FileSink implements Sink {
  /** As it was given. */
  readonly name: string;
  /** Why something could not be written. */
  problem: string | undefined;
  readonly path: string;
  readonly #appends: boolean;
  readonly #run: Run;
  #chunks: Chunk[] = [];
  #held = 0;
  /** Where the next bytes come. */
  #at = 0;
  /** What `Run.changes` was when the file was last known to be as this one left it; -1 while it was not opened. */
  #known = -1;

  constructor(name: string, path: string, appends: boolean, run: Run) {
    this.name = name;
    this.path = path;
    this.#appends = appends;
    this.#run = run;
  }

  write(chunk: Chunk): void {
    if (chunk.length === 0) return;
    this.#held += sizeOf(chunk);
    if (this.#held > MAX_HELD_BYTES) throw overLimit(`file size limit exceeded (${MAX_HELD_BYTES} bytes)`);
    this.#chunks.push(chunk);
    this.#run.unwritten.add(this);
  }

  /** Makes the file, or empties it. Rejects with an error of the file system. */
  async open(): Promise<void> {
    const { fs } = this.#run;
    if (this.#appends) await fs.appendFile(this.path, "", "binary");
    else await fs.writeFile(this.path, "", "binary");
    this.#known = ++this.#run.changes;
  }

  /** Writes what is held; makes the file where that was not done. What goes wrong is in `problem`. */
  async flush(): Promise<void> {
    this.#run.unwritten.delete(this);
    const isOpen = this.#known !== -1;
    if (isOpen && this.#chunks.length === 0) return;
    const bytes = chunkBytes(this.#chunks);
    this.#chunks = [];
    this.#held = 0;
    try {
      await this.#put(bytes, isOpen);
    } catch (error) {
      this.problem ??= problemOf(error);
    }
    this.#at += bytes.length;
    this.#known = ++this.#run.changes;
  }

  async #put(bytes: Uint8Array, isOpen: boolean): Promise<void> {
    const { fs, changes } = this.#run;
    if (this.#appends) return fs.appendFile(this.path, bytes);
    if (!isOpen || (this.#at === 0 && this.#known === changes)) return fs.writeFile(this.path, bytes);
    if (this.#known === changes || (await sizeOfFile(fs, this.path)) === this.#at)
      return fs.appendFile(this.path, bytes);
    // Something else wrote to it: bytes come where this one left off, over those that are there.
    const there = await fs.readFileBuffer(this.path);
    const all = new Uint8Array(Math.max(there.length, this.#at + bytes.length));
    all.set(there);
    all.set(bytes, this.#at);
    return fs.writeFile(this.path, all);
  }
}

async function sizeOfFile(fs: IFileSystem, path: string): Promise<number> {
  return (await fs.stat(path)).size;
}

/** Writes all that is held of files, before something reads them. */
export async function flushAll(run: Run): Promise<void> {
  for (const file of run.unwritten) await file.flush();
}
