import type { CpOptions, FileContent, IFileSystem } from "just-bash/browser";
import { InMemoryFs } from "just-bash/browser";
import { DEVICE_PATHS, isDevice, readDevice } from "./devices.ts";
import { latin1 } from "./encoding.ts";
import type { SystemWords } from "./system-words.ts";
import { requireParent } from "./require-parent.ts";

type WriteOptions = Parameters<IFileSystem["writeFile"]>[2];
type ByteString = Awaited<ReturnType<NonNullable<IFileSystem["readFileBytes"]>>>;

const MAX_BYTES = 16 * 1024 * 1024;

/** What may vanish without a word: that is what the folder is for. */
const QUIET = /^\/(tmp|dev)(\/|$)/;

/** All of the shell's files but the tree: in memory, gone after the call. Unlike just-bash's own, it makes no parent folders. */
export class ScratchFileSystem extends InMemoryFs {
  readonly #made = new Set<string>();
  readonly #words: SystemWords;

  constructor(words: SystemWords) {
    super(Object.fromEntries(DEVICE_PATHS.map((path) => [path, ""])), { maxTotalBytes: MAX_BYTES });
    this.#words = words;
  }

  /** Files that were made outside `/tmp` and are still there: they are lost, which somebody may not expect. */
  async left(): Promise<string[]> {
    const there: string[] = [];
    for (const path of this.#made) if (await this.exists(path)) there.push(path);
    return there.sort();
  }

  override async readFile(path: string, options?: Parameters<IFileSystem["readFile"]>[1]): Promise<string> {
    const device = readDevice(path);
    return device ? latin1(device) : super.readFile(path, options);
  }

  override async readFileBuffer(path: string): Promise<Uint8Array> {
    return readDevice(path) ?? super.readFileBuffer(path);
  }

  override async readFileBytes(path: string): Promise<ByteString> {
    const device = readDevice(path);
    return device ? (latin1(device) as unknown as ByteString) : super.readFileBytes(path);
  }

  override async writeFile(path: string, content: FileContent, options?: WriteOptions): Promise<void> {
    if (isDevice(path)) return;
    const write = async (): Promise<void> => {
      await this.#requireNoFolder(path);
      await this.#make(path);
      return super.writeFile(path, content, options);
    };
    return this.#words.watch(path, content, options, write());
  }

  override async appendFile(path: string, content: FileContent, options?: WriteOptions): Promise<void> {
    if (isDevice(path)) return;
    const append = async (): Promise<void> => {
      await this.#requireNoFolder(path);
      await this.#make(path);
      return super.appendFile(path, content, options);
    };
    return this.#words.watch(path, content, options, append());
  }

  override async cp(src: string, dest: string, options?: CpOptions): Promise<void> {
    await this.#make(dest);
    return super.cp(src, dest, options);
  }

  override async mv(src: string, dest: string): Promise<void> {
    await this.#make(dest);
    return super.mv(src, dest);
  }

  override async symlink(target: string, linkPath: string): Promise<void> {
    await this.#make(linkPath);
    return super.symlink(target, linkPath);
  }

  async #make(path: string): Promise<void> {
    await requireParent(this, path);
    if (!QUIET.test(path)) this.#made.add(path);
  }

  /** just-bash's own takes a file for a folder's place. */
  async #requireNoFolder(path: string): Promise<void> {
    if (!(await super.exists(path)) || !(await super.stat(path)).isDirectory) return;
    throw Object.assign(new Error(`EISDIR: illegal operation on a directory, open '${path}'`), { code: "EISDIR" });
  }
}
