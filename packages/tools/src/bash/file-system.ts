import type { FileSystem, FsStat as TreeStat } from "@tenrec/protocol";
import { errorJson, TenrecError, WORKSPACE_ROOT } from "@tenrec/protocol";
import type { CpOptions, FileContent, FsStat, IFileSystem, MkdirOptions, RmOptions } from "just-bash/browser";
import { decodeBytes, encodeContent, encodingOf, latin1 } from "./encoding.ts";
import { failedOutput } from "../failed-output.ts";
import { toModelPath } from "../workspace-path.ts";
import { requireParent } from "./require-parent.ts";
import type { SystemWords } from "./system-words.ts";
import { relativeTarget } from "./relative-target.ts";

type Encoding = Parameters<IFileSystem["writeFile"]>[2];
type ReadEncoding = Parameters<IFileSystem["readFile"]>[1];
/** A string with one byte in each character; just-bash does not export what makes its opaque type. */
type ByteString = Awaited<ReturnType<NonNullable<IFileSystem["readFileBytes"]>>>;
type DirentEntry = Awaited<ReturnType<NonNullable<IFileSystem["readdirWithFileTypes"]>>>[number];

/** After this many calls one waits for the event loop: a tree in memory answers at once, and a loop over it would not let
 * a timer or an abort come through. */
const CALLS_PER_TURN = 64;

/** Larger files are not for a shell that holds every file it reads whole, in an object of 128 MB. */
const MAX_READ_BYTES = 16 * 1024 * 1024;

/** Failures that commands report in their own words, rightly. */
const ORDINARY: ReadonlySet<string> = new Set(["ENOENT", "EEXIST", "EISDIR", "ENOTDIR", "ENOTEMPTY", "EINVAL"]);

const GIT_FOLDER = /(^|\/)\.git(\/|$)/;

/** Of all that is there in a repository elsewhere, and never here. */
function inGit(path: string): TenrecError<"EACCES"> {
  return new TenrecError("EACCES", { path, reason: "`.git` is not stored in the tree" });
}

/**
 * The tree as just-bash wants to see a file system; mounted at `/workspace`, so its paths are those of the tree.
 * After `close`, nothing reaches the tree any more, however long an abandoned command goes on.
 */
export class BashFileSystem implements IFileSystem {
  /** Whether anything was written. */
  changed = false;
  /** Failures that a command may have reported as something else: `cat` calls every one a missing file. */
  readonly troubles: string[] = [];
  readonly #fs: FileSystem;
  readonly #words: SystemWords;
  readonly #pending = new Set<Promise<unknown>>();
  #closed = false;
  #calls = 0;

  constructor(fs: FileSystem, words: SystemWords) {
    this.#fs = fs;
    this.#words = words;
  }

  /** Refuses all further calls, and resolves when those on their way have ended. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#pending);
  }

  async readFile(path: string, encoding?: ReadEncoding): Promise<string> {
    return decodeBytes(await this.readFileBuffer(path), encodingOf(encoding));
  }

  /** What just-bash would make of `readFileBuffer`, a character at a time. */
  async readFileBytes(path: string): Promise<ByteString> {
    return latin1(await this.readFileBuffer(path)) as unknown as ByteString;
  }

  readFileBuffer(path: string): Promise<Uint8Array> {
    return this.#read(async () => {
      const { size } = await this.#fs.stat(path).catch((error: unknown) => {
        if (GIT_FOLDER.test(path)) this.troubles.push(failedOutput(inGit(path)).text);
        throw error;
      });
      if (size > MAX_READ_BYTES) throw new TenrecError("EFBIG", { path, size, limit: MAX_READ_BYTES });
      return this.#fs.readFileBytes(path);
    });
  }

  writeFile(path: string, content: FileContent, encoding?: Encoding): Promise<void> {
    const write = (): Promise<void> => this.#fs.writeFileBytes(path, encodeContent(content, encodingOf(encoding)));
    return this.#words.watch(path, content, encoding, this.#make(path, write));
  }

  appendFile(path: string, content: FileContent, encoding?: Encoding): Promise<void> {
    const append = (): Promise<void> => this.#fs.appendFile(path, encodeContent(content, encodingOf(encoding)));
    return this.#words.watch(path, content, encoding, this.#make(path, append));
  }

  async exists(path: string): Promise<boolean> {
    return !this.#closed && (await this.#fs.exists(path));
  }

  async stat(path: string): Promise<FsStat> {
    return toBashStat(
      ...(await this.#read(async () => [await this.#fs.stat(path), await this.#fs.realpath(path)] as const)),
    );
  }

  async lstat(path: string): Promise<FsStat> {
    return this.#read(async () => {
      const stat = await this.#fs.lstat(path);
      return toBashStat(stat, stat.type === "symlink" ? path : await this.#fs.realpath(path));
    });
  }

  mkdir(path: string, options?: MkdirOptions): Promise<void> {
    return this.#write(() => this.#fs.mkdir(path, { recursive: options?.recursive ?? false }));
  }

  readdir(path: string): Promise<string[]> {
    return this.#read(() => this.#fs.readdir(path));
  }

  async readdirWithFileTypes(path: string): Promise<DirentEntry[]> {
    const entries = await this.#read(() => this.#fs.readdirWithFileTypes(path));
    return entries.map(({ name, type }) => ({ name, ...kinds(type) }));
  }

  rm(path: string, options?: RmOptions): Promise<void> {
    return this.#write(() =>
      this.#fs.rm(path, { recursive: options?.recursive ?? false, force: options?.force ?? false }),
    );
  }

  cp(src: string, dest: string, options?: CpOptions): Promise<void> {
    return this.#make(dest, () => this.#fs.cp(src, dest, { recursive: options?.recursive ?? false }));
  }

  mv(src: string, dest: string): Promise<void> {
    return this.#make(dest, () => this.#fs.mv(src, dest));
  }

  resolvePath(base: string, path: string): string {
    return this.#fs.resolvePath(base, path);
  }

  /** Nothing: just-bash expands globs with `readdir`, and a list of a whole tree would cost too much. */
  getAllPaths(): string[] {
    return [];
  }

  chmod(path: string, mode: number): Promise<void> {
    return this.#write(async () => {
      if (!this.#fs.chmod) throw new TenrecError("unsupported", { what: "chmod", by: "the workspace" });
      await this.#fs.chmod(path, mode);
    });
  }

  symlink(target: string, linkPath: string): Promise<void> {
    return this.#make(linkPath, () => this.#fs.symlink(relativeTarget(target, linkPath), linkPath));
  }

  link(): Promise<void> {
    return this.#write(() => {
      throw new TenrecError("unsupported", { what: "hard links (use ln -s)", by: "the workspace" });
    });
  }

  async readlink(path: string): Promise<string> {
    const target = await this.#read(() => this.#fs.readlink(path));
    return target.startsWith("/") ? WORKSPACE_ROOT + target : target;
  }

  realpath(path: string): Promise<string> {
    return this.#read(() => this.#fs.realpath(path));
  }

  /** Times are those of the last write; setting them only checks that the path is there. */
  async utimes(path: string): Promise<void> {
    await this.#read(() => this.#fs.stat(path));
  }

  /** The tree makes parent folders, which no shell does. */
  #make<T>(path: string, action: () => Promise<T>): Promise<T> {
    return this.#write(async () => {
      // What the tree says of a folder that it never has is clearer than that it is missing.
      if (!GIT_FOLDER.test(path)) await requireParent(this.#fs, path, toModelPath(path));
      return action();
    });
  }

  #write<T>(action: () => Promise<T>): Promise<T> {
    this.changed = true;
    return this.#read(action);
  }

  async #read<T>(action: () => Promise<T>): Promise<T> {
    if (++this.#calls % CALLS_PER_TURN === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    if (this.#closed) throw new Error("EIO: the command was stopped");
    // `then` first, so that an action which throws at once counts too.
    const running = Promise.resolve().then(action);
    this.#pending.add(running);
    try {
      return await running;
    } catch (error) {
      throw this.#toErrno(error);
    } finally {
      this.#pending.delete(running);
    }
  }

  /** An error as Node words it: commands look for the code at the start of the message. */
  #toErrno(error: unknown): Error {
    const { code, message, data } = errorJson(error);
    if (!ORDINARY.has(code)) this.troubles.push(failedOutput(error).text);
    const isWorded = !/^E[A-Z]+$/.test(code) || message.startsWith(`${code}: `);
    const errno = Object.assign(new Error(isWorded ? message : `${code}: ${message}`, { cause: error }), { code });
    const path = data !== null && typeof data === "object" && "path" in data ? data.path : "";
    if (error instanceof Error && "data" in error && typeof path === "string")
      this.#words.note(errno.message, path.startsWith("/") ? toModelPath(path) : path, error);
    this.#words.thrown.add(errno);
    return errno;
  }
}

function kinds(type: TreeStat["type"]): { isFile: boolean; isDirectory: boolean; isSymbolicLink: boolean } {
  return { isFile: type === "file", isDirectory: type === "directory", isSymbolicLink: type === "symlink" };
}

/** There are no hard links in a tree, so a file is known by its path without links. */
function toBashStat({ type, size, mtime, mode }: TreeStat, realPath: string): FsStat {
  return {
    ...kinds(type),
    identity: `tree:${realPath}`,
    size,
    mtime,
    mode: mode ?? (type === "directory" ? 0o755 : 0o644),
  };
}
