import type { FileDiff, GitDiffForm } from "@tenrec/protocol";
import { compareContents, type ContentDiff, MAX_DIFF_BYTES, tooLarge } from "../compare-contents.ts";
import { contentOf } from "../overlay/read.ts";
import { compareText } from "../path.ts";
import type { Entry } from "../entry.ts";
import type { PatchSides } from "../git-patch.ts";
import { breathe, type GitContext } from "./context.ts";
import { flattenTree } from "./flat-tree.ts";
import type { GitIndex, TrackedFile } from "./index-file.ts";
import { readBlobBytes } from "./objects.ts";
import { requireRepository, resolveCommit, treeOf } from "./refs.ts";
import { changeOf, type Comparison, compare, isSameFile } from "./status.ts";

/** The index and the work tree, beside which any commit may be named. */
export type GitSide = "index" | "work" | "nothing" | { readonly commit: string };

export interface DiffOptions extends GitDiffForm {
  /** Default: the index. */
  readonly from?: GitSide;
  /** Default: the work tree; files that are not tracked are left out there. Of files with conflicts, see `withoutConflicts`. */
  readonly to?: GitSide;
}

const LINK = 0o120000;
const SUBMODULE = 0o160000;
const encoder = new TextEncoder();

interface Side {
  readonly files: Map<string, TrackedFile>;
  /** The content; its size alone when it is too large to be compared. */
  readonly read: (path: string, file: TrackedFile) => Uint8Array | number | Promise<Uint8Array>;
}

/** One diff for each file that differs, sorted by path, as `TreeStore.diff` gives them. */
export async function diff(context: GitContext, options: DiffOptions = {}): Promise<FileDiff[]> {
  requireRepository(context);
  const sides = [options.from ?? "index", options.to ?? "work"] as const;
  const compared = sides.some((side) => typeof side === "string") ? await compare(context) : undefined;
  const [from, to] = await Promise.all(sides.map((side) => openSide(context, side, compared)));
  const diffs: FileDiff[] = [];
  if (from === undefined || to === undefined) return diffs;
  if (compared) withoutConflicts(sides, [from, to], compared.index);
  for (const path of [...new Set([...from.files.keys(), ...to.files.keys()])].sort(compareText)) {
    const [before, after] = [from.files.get(path), to.files.get(path)];
    const change = isSameFile(before, after) ? undefined : changeOf(before, after);
    if (change === undefined) continue;
    await breathe(context);
    const left = before && (await from.read(path, before));
    const right = after && (await to.read(path, after));
    const sides = { from: `/${path}`, to: `/${path}`, before: entryOf(before), after: entryOf(after) };
    diffs.push({ path: `/${path}`, change, ...patchOf(sides, [left, right], options) });
  }
  return diffs;
}

async function openSide(context: GitContext, side: GitSide, compared: Comparison | undefined): Promise<Side> {
  const stored = (_path: string, file: TrackedFile): Uint8Array => {
    if (file.mode === SUBMODULE) return encoder.encode(`Subproject commit ${file.oid}\n`);
    return readBlobBytes(context, file.oid);
  };
  if (typeof side === "object") {
    const commit = await resolveCommit(context, side.commit);
    return { files: (await flattenTree(context, await treeOf(context, commit))).files, read: stored };
  }
  if (compared === undefined || side === "nothing") return { files: new Map(), read: stored };
  if (side === "index") return { files: new Map(compared.index.files), read: stored };
  const { head, index, work, workFiles } = compared;
  const files = new Map(
    [...work].filter(([path]) => index.files.has(path) || index.unmerged.has(path) || head.has(path)),
  );
  return {
    files,
    read: (path, file) => {
      const entry = workFiles.get(path)?.entry;
      if (entry === undefined || entry.kind === "directory") return stored(path, file);
      if (entry.kind === "file" && entry.size > MAX_DIFF_BYTES) return entry.size;
      return entry.kind === "symlink" ? encoder.encode(entry.target) : contentOf(context.state, entry, `/${path}`);
    },
  };
}

/** In the index a file with conflicts is ours for the work tree; no commit is compared to it. */
function withoutConflicts(
  [from, to]: readonly [GitSide, GitSide],
  [before, after]: readonly [Side, Side],
  { unmerged }: GitIndex,
): void {
  if (from !== "index" && to !== "index") return;
  const isWork = from === "work" || to === "work";
  const [index, other] = from === "index" ? [before, after] : [after, before];
  for (const [path, [, ours]] of unmerged) {
    if (isWork && ours) index.files.set(path, ours);
    else other.files.delete(path);
  }
}

type Content = Uint8Array | number | undefined;

function patchOf(sides: PatchSides, [left, right]: readonly [Content, Content], form: GitDiffForm): ContentDiff {
  const [before, after] = [sizeOf(left), sizeOf(right)];
  if (typeof left === "number" || typeof right === "number" || Math.max(before, after) > MAX_DIFF_BYTES) {
    return tooLarge(before, after);
  }
  const [old, now] = [left ?? new Uint8Array(0), right ?? new Uint8Array(0)];
  if (!sides.before || !sides.after || sides.before.kind === sides.after.kind)
    return compareContents(sides, [old, now], form);
  // As in git, what became a link or was one is removed and created.
  const gone = compareContents({ ...sides, after: undefined }, [old, new Uint8Array(0)], form);
  const come = compareContents({ ...sides, before: undefined }, [new Uint8Array(0), now], form);
  const binary = gone.binary || come.binary;
  return { binary, patch: gone.patch + come.patch, added: come.added, removed: gone.removed };
}

function sizeOf(content: Content): number {
  return typeof content === "number" ? content : (content?.length ?? 0);
}

/** What a patch says of a file that git tracks: only its mode counts there. */
function entryOf(file: TrackedFile | undefined): Entry | undefined {
  if (file === undefined) return undefined;
  if (file.mode === LINK) return { kind: "symlink", target: "", mtime: 0 };
  return { kind: "file", mode: file.mode & 0o777, size: 0, hash: "", mtime: 0 };
}
