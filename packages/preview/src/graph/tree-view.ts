import type { FileSystem } from "@tenrec/protocol";
import { hasCode } from "@tenrec/protocol";

type Kind = "file" | "directory";

/** Which files a tree has, with directories read once. One view follows a session from tree to tree. */
export class TreeView {
  #fs: FileSystem;
  readonly #directories = new Map<string, Promise<ReadonlyMap<string, Kind>>>();

  constructor(fs: FileSystem) {
    this.#fs = fs;
  }

  get fs(): FileSystem {
    return this.#fs;
  }

  /** Goes on with another tree that differs at these paths only; undefined when nothing is known. */
  async follow(fs: FileSystem, changed: readonly string[] | undefined): Promise<{ namesChanged: boolean }> {
    this.#fs = fs;
    if (!changed) {
      this.#directories.clear();
      return { namesChanged: true };
    }
    let namesChanged = false;
    for (const path of changed) {
      const known = await this.#known(path);
      if (known === undefined) continue;
      if (known !== (await kindOf(fs, path))) {
        namesChanged = true;
        this.#forget(path);
      }
    }
    return { namesChanged };
  }

  async kind(path: string): Promise<Kind | undefined> {
    if (path === "/") return "directory";
    const slash = path.lastIndexOf("/");
    return (await this.#directory(path.slice(0, slash) || "/")).get(path.slice(slash + 1));
  }

  /** What the view said of a path; `"absent"` when it said that nothing is there, undefined when it was never asked. */
  async #known(path: string): Promise<Kind | "absent" | undefined> {
    const slash = path.lastIndexOf("/");
    const listing = this.#directories.get(path.slice(0, slash) || "/");
    if (listing) return (await listing).get(path.slice(slash + 1)) ?? "absent";
    // A directory above it may have been missing when it was asked for.
    return path === "/" ? undefined : this.#known(path.slice(0, slash) || "/");
  }

  #forget(path: string): void {
    for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) this.#directories.delete(at);
    this.#directories.delete("/");
    for (const each of this.#directories.keys()) if (each.startsWith(`${path}/`)) this.#directories.delete(each);
  }

  #directory(path: string): Promise<ReadonlyMap<string, Kind>> {
    let listing = this.#directories.get(path);
    if (!listing) {
      listing = readDirectory(this.#fs, path);
      this.#directories.set(path, listing);
    }
    return listing;
  }
}

async function readDirectory(fs: FileSystem, path: string): Promise<ReadonlyMap<string, Kind>> {
  const kinds = new Map<string, Kind>();
  for (const { name, type } of await entries(fs, path)) {
    const kind = type === "symlink" ? await kindOf(fs, fs.resolvePath(path, name)) : type;
    if (kind !== "absent") kinds.set(name, kind);
  }
  return kinds;
}

async function entries(fs: FileSystem, path: string): ReturnType<FileSystem["readdirWithFileTypes"]> {
  try {
    return await fs.readdirWithFileTypes(path);
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return [];
    throw error;
  }
}

async function kindOf(fs: FileSystem, path: string): Promise<Kind | "absent"> {
  try {
    return (await fs.stat(path)).type === "directory" ? "directory" : "file";
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR") || hasCode(error, "ELOOP")) return "absent";
    throw error;
  }
}
