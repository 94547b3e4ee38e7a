import type { FileSystem } from "@tenrec/protocol";
import { hasCode, TenrecError } from "@tenrec/protocol";
import { toModelPath } from "../workspace-path.ts";
import { checkLink } from "./check-link.ts";
import { patchFailed } from "./file-patch.ts";

export type PatchPort = Pick<
  FileSystem,
  | "lstat"
  | "readFileBytes"
  | "readlink"
  | "realpath"
  | "readdir"
  | "writeFileBytes"
  | "symlink"
  | "rm"
  | "chmod"
  | "contentHash"
>;

/** What is at a path; undefined when nothing is. */
export type FileState =
  | { readonly kind: "file"; readonly bytes: Uint8Array; readonly mode: number | undefined }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "directory" }
  | undefined;

/** A text is held several times while it is patched, and the object has 128 MB. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;
const MAX_TOTAL_BYTES = 32 * 1024 * 1024;

/** The files that a patch touches, in memory. Nothing is written before `write`, which writes all or nothing. */
export class PatchedFiles {
  /** Of the files that were read. */
  bytes = 0;
  readonly #fs: PatchPort;
  readonly #before = new Map<string, FileState>();
  readonly #now = new Map<string, FileState>();

  constructor(fs: PatchPort) {
    this.#fs = fs;
  }

  /** What was there before the patch. */
  async before(path: string): Promise<FileState> {
    if (!this.#before.has(path)) this.#before.set(path, await this.#load(path));
    return this.#before.get(path);
  }

  /** What is there after what was set so far. */
  async now(path: string): Promise<FileState> {
    return this.#now.has(path) ? this.#now.get(path) : this.before(path);
  }

  /** Whether the patch put something there. */
  isSet(path: string): boolean {
    return this.#now.get(path) !== undefined;
  }

  /** Throws for a link that would lead out of the workspace. */
  async set(path: string, state: FileState): Promise<void> {
    const before = await this.before(path);
    const isSame = before?.kind === "link" && state?.kind === "link" && before.target === state.target;
    if (state?.kind === "link" && !isSame) checkLink(path, await this.#realFolder(path), state.target);
    this.#now.set(path, state);
  }

  /** The folder of a path, with the links on the way followed as far as there is something. */
  async #realFolder(path: string): Promise<string> {
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (folder === "") return "/";
    const real = await this.#fs.realpath(folder).catch(() => undefined);
    return real ?? `${await this.#realFolder(folder)}${folder.slice(folder.lastIndexOf("/"))}`;
  }

  /** Where the file is that a link at the path leads to. */
  async follow(path: string): Promise<string> {
    return (await this.now(path))?.kind === "link" ? this.#fs.realpath(path) : path;
  }

  /** Writes what was set. When that fails, what was written is taken back, and the error is thrown. */
  async write({ pruneFolders }: { readonly pruneFolders: boolean }): Promise<void> {
    this.#requireFolders();
    const touched: string[] = [];
    const made = await this.#missingFolders();
    try {
      for (const [path, state] of this.#now) {
        const before = this.#before.get(path);
        if (!before || before.kind === "directory" || state?.kind === before.kind) continue;
        touched.push(path);
        await this.#fs.rm(path);
        if (pruneFolders && state === undefined) await this.#prune(path);
      }
      for (const [path, state] of this.#now) {
        if (state === undefined) continue;
        touched.push(path);
        await this.#put(path, state, this.#before.get(path));
      }
    } catch (error) {
      await this.#restore(touched, made);
      throw error;
    }
  }

  async #restore(touched: readonly string[], made: ReadonlySet<string>): Promise<void> {
    const remove = (path: string): Promise<void> => this.#fs.rm(path, { force: true }).catch(() => undefined);
    const files = touched.filter((path) => this.#before.get(path)?.kind !== "directory");
    for (const path of files.toReversed()) await remove(path);
    for (const path of Array.from(made).toSorted((a, b) => b.length - a.length)) await remove(path);
    for (const path of files) await this.#put(path, this.#before.get(path), undefined);
  }

  /** What is below a link that the patch makes would be written somewhere else. */
  #requireFolders(): void {
    for (const [path, state] of this.#now) {
      for (let at = path.lastIndexOf("/"); state && at > 0; at = path.lastIndexOf("/", at - 1)) {
        const above = path.slice(0, at);
        if (this.#now.get(above)?.kind !== "link") continue;
        const [link, file] = [toModelPath(above), toModelPath(path)];
        throw patchFailed(
          `${file} is below ${link}, which the patch makes a link. Name the file by where it really is`,
        );
      }
    }
  }

  /** Folders that are made with the files in them. */
  async #missingFolders(): Promise<ReadonlySet<string>> {
    const missing = new Set<string>();
    for (const [path, state] of this.#now) {
      for (let at = path.lastIndexOf("/"); state && at > 0; at = path.lastIndexOf("/", at - 1)) {
        const folder = path.slice(0, at);
        if (missing.has(folder) || (await this.#exists(folder))) break;
        missing.add(folder);
      }
    }
    return missing;
  }

  async #exists(path: string): Promise<boolean> {
    return this.#fs.lstat(path).then(
      () => true,
      () => false,
    );
  }

  async #load(path: string): Promise<FileState> {
    const stat = await this.#fs.lstat(path).catch((error: unknown) => {
      if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return undefined;
      throw error;
    });
    if (stat === undefined) return undefined;
    const { type, size, mode } = stat;
    if (type === "directory") return { kind: "directory" };
    if (type === "symlink") return { kind: "link", target: await this.#fs.readlink(path) };
    if (size > MAX_FILE_BYTES) throw new TenrecError("EFBIG", { path, size, limit: MAX_FILE_BYTES });
    this.bytes += size;
    if (this.bytes > MAX_TOTAL_BYTES) {
      throw patchFailed(`its files have more than ${MAX_TOTAL_BYTES} bytes together. Make several patches of it`);
    }
    return { kind: "file", bytes: await this.#fs.readFileBytes(path), mode };
  }

  async #put(path: string, state: FileState, before: FileState): Promise<void> {
    if (state?.kind === "link") await this.#putLink(path, state.target, before);
    if (state?.kind !== "file") return;
    const isSame = before?.kind === "file" && before.bytes === state.bytes;
    if (!isSame) await this.#fs.writeFileBytes(path, state.bytes);
    if (state.mode === undefined || !this.#fs.chmod) return;
    if ((await this.#fs.lstat(path)).mode !== state.mode) await this.#fs.chmod(path, state.mode);
  }

  async #putLink(path: string, target: string, before: FileState): Promise<void> {
    if (before?.kind === "link") {
      if (before.target === target) return;
      await this.#fs.rm(path);
    }
    await this.#fs.symlink(target, path);
  }

  /** The folders that a deletion left empty, as git has it. */
  async #prune(path: string): Promise<void> {
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (folder === "" || (await this.#fs.readdir(folder)).length > 0) return;
    await this.#fs.rm(folder);
    await this.#prune(folder);
  }
}
