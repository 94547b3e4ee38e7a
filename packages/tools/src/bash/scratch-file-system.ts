import type { CpOptions, FileContent, IFileSystem } from "just-bash/browser";
import { InMemoryFs } from "just-bash/browser";
import { isRedirect, requireParent } from "./require-parent.ts";

const MAX_BYTES = 16 * 1024 * 1024;

/** What may vanish without a word: that is what the folder is for. */
const QUIET = /^\/(tmp|dev)(\/|$)/;

/** All of the shell's files but the tree: in memory, gone after the call. Unlike just-bash's own, it makes no parent folders. */
export class ScratchFileSystem extends InMemoryFs {
  readonly #made = new Set<string>();

  constructor() {
    super({ "/dev/null": "" }, { maxTotalBytes: MAX_BYTES });
  }

  /** Files that were made outside `/tmp` and are still there: they are lost, which somebody may not expect. */
  async left(): Promise<string[]> {
    const there: string[] = [];
    for (const path of this.#made) if (await this.exists(path)) there.push(path);
    return there.sort();
  }

  override async writeFile(
    path: string,
    content: FileContent,
    options?: Parameters<IFileSystem["writeFile"]>[2],
  ): Promise<void> {
    await this.#make(path, isRedirect(content, options));
    return super.writeFile(path, content, options);
  }

  override async appendFile(
    path: string,
    content: FileContent,
    options?: Parameters<IFileSystem["appendFile"]>[2],
  ): Promise<void> {
    await this.#make(path, isRedirect(content, options));
    return super.appendFile(path, content, options);
  }

  override async cp(src: string, dest: string, options?: CpOptions): Promise<void> {
    await this.#make(dest, false);
    return super.cp(src, dest, options);
  }

  override async mv(src: string, dest: string): Promise<void> {
    await this.#make(dest, false);
    return super.mv(src, dest);
  }

  override async symlink(target: string, linkPath: string): Promise<void> {
    await this.#make(linkPath, false);
    return super.symlink(target, linkPath);
  }

  async #make(path: string, makesParents: boolean): Promise<void> {
    if (!makesParents) await requireParent(this, path);
    if (!QUIET.test(path)) this.#made.add(path);
  }
}
