import type { CpOptions, FileContent, IFileSystem } from "just-bash/browser";
import { InMemoryFs } from "just-bash/browser";
import { isRedirect, requireParent } from "./require-parent.ts";

const MAX_BYTES = 16 * 1024 * 1024;

/** All of the shell's files but the tree: in memory, gone after the call. Unlike just-bash's own, it makes no parent folders. */
export class ScratchFileSystem extends InMemoryFs {
  constructor() {
    super({ "/dev/null": "" }, { maxTotalBytes: MAX_BYTES });
  }

  override async writeFile(
    path: string,
    content: FileContent,
    options?: Parameters<IFileSystem["writeFile"]>[2],
  ): Promise<void> {
    if (!isRedirect(content, options)) await requireParent(this, path);
    return super.writeFile(path, content, options);
  }

  override async appendFile(
    path: string,
    content: FileContent,
    options?: Parameters<IFileSystem["appendFile"]>[2],
  ): Promise<void> {
    if (!isRedirect(content, options)) await requireParent(this, path);
    return super.appendFile(path, content, options);
  }

  override async cp(src: string, dest: string, options?: CpOptions): Promise<void> {
    await requireParent(this, dest);
    return super.cp(src, dest, options);
  }

  override async mv(src: string, dest: string): Promise<void> {
    await requireParent(this, dest);
    return super.mv(src, dest);
  }

  override async symlink(target: string, linkPath: string): Promise<void> {
    await requireParent(this, linkPath);
    return super.symlink(target, linkPath);
  }
}
