import { TenrecError } from "@tenrec/protocol";
import { writeBlob } from "isomorphic-git";
import { contentOf } from "../overlay/read.ts";
import { splitPath } from "../path.ts";
import { breathe, type GitContext } from "./context.ts";
import { treeNames } from "./git-path.ts";
import { type TrackedFile, writeIndex } from "./index-file.ts";
import { type Comparison, compare, isSameFile } from "./status.ts";
import { SUBMODULE } from "./work-tree.ts";

const encoder = new TextEncoder();

/**
 * Takes files as they are now, or their deletion, into the next commit; a directory stands for what is in it, `/` for
 * everything. `git-not-found` for a path with nothing that git looks at. Paths are those of the tree.
 */
export async function add(context: GitContext, paths: readonly string[]): Promise<readonly string[]> {
  const compared = await compare(context);
  const { index, work } = compared;
  const files = new Map(index.files);
  const changed: string[] = [];
  const known = new Set([...compared.head.values(), ...index.files.values()].map(({ oid }) => oid));
  for (const path of selectPaths(compared, paths)) {
    const file = work.get(path);
    if (isSameFile(file, files.get(path)) && !index.unmerged.has(path)) continue;
    if (file) {
      if (!known.has(file.oid) && file.mode !== SUBMODULE) await storeBlob(context, compared, path, file);
      files.set(path, file);
    } else files.delete(path);
    index.unmerged.delete(path);
    changed.push(`/${path}`);
  }
  writeIndex(context, { files, unmerged: index.unmerged });
  return changed.sort();
}

/** Makes the index what the last commit has, for these paths; conflicts in them are forgotten. */
export async function unstage(context: GitContext, paths: readonly string[]): Promise<void> {
  const compared = await compare(context);
  const files = new Map(compared.index.files);
  for (const path of selectPaths(compared, paths)) {
    const file = compared.head.get(path);
    if (file) files.set(path, file);
    else files.delete(path);
    compared.index.unmerged.delete(path);
  }
  writeIndex(context, { files, unmerged: compared.index.unmerged });
}

/** Takes files out of the next commit; in the work tree they stay. */
export async function untrack(context: GitContext, paths: readonly string[]): Promise<void> {
  const compared = await compare(context);
  const files = new Map(compared.index.files);
  for (const path of selectPaths(compared, paths)) {
    files.delete(path);
    compared.index.unmerged.delete(path);
  }
  writeIndex(context, { files, unmerged: compared.index.unmerged });
}

function selectPaths({ head, index, work }: Comparison, paths: readonly string[]): Set<string> {
  const all = [...new Set([...head.keys(), ...index.files.keys(), ...work.keys(), ...index.unmerged.keys()])];
  const selected = new Set<string>();
  for (const path of paths) {
    const wanted = splitPath(path).join("/");
    if (wanted !== "") treeNames(wanted);
    const matches = all.filter((file) => wanted === "" || file === wanted || file.startsWith(`${wanted}/`));
    if (matches.length === 0 && wanted !== "") throw new TenrecError("git-not-found", { what: `file at /${wanted}` });
    for (const match of matches) selected.add(match);
  }
  return selected;
}

async function storeBlob(
  context: GitContext,
  { workFiles }: Comparison,
  path: string,
  file: TrackedFile,
): Promise<void> {
  await breathe(context);
  const entry = workFiles.get(path)?.entry;
  if (entry === undefined || entry.kind === "directory") return;
  const { maxObjectBytes } = context.limits;
  if (entry.kind === "file" && entry.size > maxObjectBytes) {
    throw new TenrecError("git-too-large", { what: `/${path}`, size: entry.size, limit: maxObjectBytes });
  }
  const content =
    entry.kind === "symlink" ? encoder.encode(entry.target) : await contentOf(context.state, entry, `/${path}`);
  const oid = await writeBlob({ ...context.repo, blob: content });
  if (oid !== file.oid) throw new TenrecError("EIO", { path: `/${path}`, reason: "its content is not what it was" });
}
