import type { FileSystem } from "@tenrec/protocol";

/** Every file with its text, and every link with its target after an arrow. */
export async function readAll(fs: FileSystem): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const path of await fs.glob("/**")) {
    const { type, mode = 0 } = await fs.lstat(path);
    if (type === "symlink") found[path] = `-> ${await fs.readlink(path)}`;
    if (type === "file") found[mode & 0o100 ? `${path}*` : path] = await fs.readFile(path);
  }
  return found;
}
