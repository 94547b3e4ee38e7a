import type { FileDiff } from "@tenrec/protocol";
import { type ContentHost, readContent } from "./content.ts";
import { compareContents, type ContentDiff, MAX_DIFF_BYTES, tooLarge } from "./compare-contents.ts";
import { type Difference, differences } from "./changes.ts";
import type { Entry } from "./entry.ts";
import { gitPatch, type PatchSides } from "./git-patch.ts";
import type { NodeStore } from "./node-store.ts";
import { compareText } from "./path.ts";
import { findRenames } from "./renames.ts";
import { treeChange } from "./tree-change.ts";
import { nextTick } from "./next-tick.ts";

const encoder = new TextEncoder();

export interface DiffOptions {
  /** Says of a path whether it is compared; what it leaves out is not taken for the other half of a rename either. */
  readonly includes?: (path: string) => boolean;
  readonly signal?: AbortSignal;
}

/** One diff for each file or link that differs or was renamed, sorted by path. Reads one pair of files at a time. */
export async function diffTrees(
  host: ContentHost,
  nodes: NodeStore,
  trees: { readonly before: string; readonly after: string },
  { includes = () => true, signal }: DiffOptions = {},
): Promise<FileDiff[]> {
  const read = (path: string, entry: Entry): Uint8Array | Promise<Uint8Array> => contentOf(host, path, entry);
  const changed = differences(nodes, trees.before, trees.after)
    .map(withoutDirectories)
    .filter(({ path, before, after }) => (before ?? after) !== undefined && includes(path));
  const renames = new Map((await findRenames(changed, read, signal)).map((rename) => [rename.to.path, rename]));
  const moved = new Set(Array.from(renames.values(), ({ from }) => from.path));
  const diffs: FileDiff[] = [];
  for (const { path, before, after } of changed) {
    if (moved.has(path)) continue;
    signal?.throwIfAborted();
    const rename = renames.get(path);
    const sides = rename
      ? { from: rename.from.path, to: path, before: rename.from.before, after, similarity: rename.similarity }
      : { from: path, to: path, before, after };
    const change = rename ? "rename" : (treeChange(path, before, after)?.change ?? "modify");
    diffs.push({ path, change, ...(rename ? { from: rename.from.path } : {}), ...(await compare(sides, read)) });
    await nextTick();
  }
  return diffs.sort((a, b) => compareText(a.path, b.path));
}

function withoutDirectories({ path, before, after }: Difference): Difference {
  const leaf = (entry: Entry | undefined): Entry | undefined => (entry?.kind === "directory" ? undefined : entry);
  return { path, before: leaf(before), after: leaf(after) };
}

type ReadContent = (path: string, entry: Entry) => Uint8Array | Promise<Uint8Array>;

async function compare(sides: PatchSides, read: ReadContent): Promise<ContentDiff> {
  const { from, to, before, after } = sides;
  if (before?.kind === "file" && after?.kind === "file" && before.hash === after.hash) {
    return { binary: false, patch: gitPatch(sides, { hunks: "" }), added: 0, removed: 0 };
  }
  if (sizeOf(before) > MAX_DIFF_BYTES || sizeOf(after) > MAX_DIFF_BYTES) {
    return tooLarge(sizeOf(before), sizeOf(after));
  }
  if (!before || !after || before.kind === after.kind) return compareContent(sides, read);
  // As in git, what became a link or was one is removed and created.
  const gone = await compareContent({ from, to: from, before, after: undefined }, read);
  const come = await compareContent({ from: to, to, before: undefined, after }, read);
  return {
    binary: gone.binary || come.binary,
    patch: gone.patch + come.patch,
    added: come.added,
    removed: gone.removed,
  };
}

async function compareContent(sides: PatchSides, read: ReadContent): Promise<ContentDiff> {
  const { from, to, before, after } = sides;
  const old = before ? await read(from, before) : new Uint8Array(0);
  const now = after ? await read(to, after) : new Uint8Array(0);
  return compareContents(sides, [old, now]);
}

function contentOf(host: ContentHost, path: string, entry: Entry): Uint8Array | Promise<Uint8Array> {
  if (entry.kind === "symlink") return encoder.encode(entry.target);
  return entry.kind === "file" ? readContent(host, entry, path) : new Uint8Array(0);
}

function sizeOf(entry: Entry | undefined): number {
  return entry?.kind === "file" ? entry.size : 0;
}
