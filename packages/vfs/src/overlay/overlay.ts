import type { FileSystem, FileSystemDirent, FsStat } from "@tenrec/protocol";
import { compareText, resolvePath } from "../path.ts";
import { type TreeChange, treeChange } from "../tree-change.ts";
import { copy } from "./copy.ts";
import { changeMode, makeDirectory, remove } from "./directories.ts";
import { globPaths } from "./glob-paths.ts";
import { move } from "./move.ts";
import { hashAt, list, lstat, readBytes, readLink, readRange, readStream, readText, realPath, stat } from "./read.ts";
import { resolve } from "./resolve.ts";
import { changedEntries } from "./staged-entries.ts";
import type { OverlayState } from "./state.ts";
import { append } from "./append.ts";
import { link, writeBytes, writeStream, writeText } from "./write.ts";

let stateOf: (overlay: Overlay) => OverlayState;

/**
 * A file system over one tree of a store. It reads through to the tree that it was opened on, whatever is committed
 * since, and keeps writes in memory, within a byte budget (`ENOSPC`). Nothing is stored until it is staged and committed;
 * to give up, let go of it. Contents above 16 MiB go to the store at once, without being in any tree yet. Files have at most `maxFileBytes` (`EFBIG`). `.git` cannot be created (`EACCES`).
 *
 * It does its work before the first `await`, so calls that are not awaited take effect in the order they were made.
 */
export class Overlay implements FileSystem {
  readonly #state: OverlayState;

  /** Made by `TreeStore.overlay`. */
  constructor(state: OverlayState) {
    this.#state = state;
  }

  static {
    stateOf = (overlay) => overlay.#state;
  }

  /** Root hash of the tree that it reads through to. */
  get tree(): string {
    return this.#state.tree;
  }

  /** Bytes of the files written here, as the budget counts them. */
  get bytes(): number {
    return this.#state.bytes;
  }

  /** Files and links that differ from `tree`, sorted by path. */
  changes(): TreeChange[] {
    const changes = Array.from(changedEntries(this.#state), ({ path, before, after }) =>
      treeChange(path, before, after),
    );
    return changes.filter((change) => change !== undefined).sort((a, b) => compareText(a.path, b.path));
  }

  async readFile(path: string): Promise<string> {
    return readText(this.#state, path);
  }

  async readFileBytes(path: string): Promise<Uint8Array> {
    return readBytes(this.#state, path);
  }

  async readRange(path: string, offset: number, length: number): Promise<Uint8Array> {
    return readRange(this.#state, path, offset, length);
  }

  async contentHash(path: string): Promise<string> {
    return hashAt(this.#state, path);
  }

  /** The content in pieces of at most 1 MiB, for files that are too large to hold. Errors come with the first piece. */
  async *readFileStream(path: string): AsyncGenerator<Uint8Array> {
    yield* readStream(this.#state, path);
  }

  async writeFile(path: string, content: string): Promise<void> {
    writeText(this.#state, path, content);
  }

  async writeFileBytes(path: string, content: Uint8Array): Promise<void> {
    writeBytes(this.#state, path, content);
  }

  /**
   * Writes what the pieces are together and holds at most 1 MiB of it. The file appears when the last piece is stored; until
   * then, and when `content` throws, everything is as it was. `content` may change a piece once the next one is asked for.
   */
  async writeFileStream(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    await writeStream(this.#state, path, content);
  }

  async appendFile(path: string, content: string | Uint8Array): Promise<void> {
    await append(this.#state, path, content);
  }

  async exists(path: string): Promise<boolean> {
    try {
      return resolve(this.#state, path, true).entry !== undefined;
    } catch {
      return false;
    }
  }

  async stat(path: string): Promise<FsStat> {
    return stat(this.#state, path);
  }

  async lstat(path: string): Promise<FsStat> {
    return lstat(this.#state, path);
  }

  async mkdir(path: string, options: { recursive?: boolean } = {}): Promise<void> {
    makeDirectory(this.#state, path, options.recursive ?? false);
  }

  async readdir(path: string): Promise<string[]> {
    return list(this.#state, path).map(([name]) => name);
  }

  async readdirWithFileTypes(path: string): Promise<FileSystemDirent[]> {
    return list(this.#state, path).map(([name, { kind }]) => ({ name, type: kind }));
  }

  async rm(path: string, options: { recursive?: boolean; force?: boolean } = {}): Promise<void> {
    remove(this.#state, path, options);
  }

  async cp(src: string, dest: string, options: { recursive?: boolean } = {}): Promise<void> {
    copy(this.#state, src, dest, options.recursive ?? false);
  }

  async mv(src: string, dest: string): Promise<void> {
    move(this.#state, src, dest);
  }

  async symlink(target: string, linkPath: string): Promise<void> {
    link(this.#state, target, linkPath);
  }

  async readlink(path: string): Promise<string> {
    return readLink(this.#state, path);
  }

  async realpath(path: string): Promise<string> {
    return realPath(this.#state, path);
  }

  /** Lets the tree and what was stored go before the overlay is collected. Do not use it afterwards. */
  [Symbol.dispose](): void {
    this.#state.pins.removeOverlay(this.#state);
  }

  resolvePath(base: string, path: string): string {
    return resolvePath(base, path);
  }

  async glob(pattern: string): Promise<string[]> {
    return globPaths(this.#state, pattern);
  }

  async chmod(path: string, mode: number): Promise<void> {
    changeMode(this.#state, path, mode);
  }
}

/** What an overlay works on, for the other parts of this package. */
export function overlayState(overlay: Overlay): OverlayState {
  return stateOf(overlay);
}
