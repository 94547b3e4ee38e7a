import type { GitCommitData, GitDiffSide, GitFile, GitRefData, GitStages } from "@tenrec/protocol";
import { hasCode, TenrecError } from "@tenrec/protocol";
import {
  deleteRef,
  expandOid,
  getConfig,
  listBranches,
  listTags,
  readCommit,
  resolveRef,
  setConfig,
  writeRef,
} from "isomorphic-git";
import type { GitContext } from "./context.ts";
import { flattenTree } from "./flat-tree.ts";
import { isRefName, quote } from "./git-path.ts";
import { readIndex } from "./index-file.ts";
import { readBlobBytes } from "./objects.ts";
import { requireRepository, resolveCommit, treeOf } from "./refs.ts";
import { compare } from "./status.ts";
import { listWorkTree } from "./work-tree.ts";

/** Files of a side, by path without a leading `/`. */
export async function filesOf(context: GitContext, side: GitDiffSide): Promise<ReadonlyMap<string, GitFile>> {
  requireRepository(context);
  if (side === "nothing") return new Map();
  if (typeof side === "object") {
    const oid = await resolveCommit(context, side.commit);
    return (await flattenTree(context, await treeOf(context, oid))).files;
  }
  const { index, work } = await compare(context);
  return side === "index" ? index.files : work;
}

/** What nothing is tracked of because a `.gitignore` names it; a folder ends with `/`. */
export async function ignoredPaths(context: GitContext): Promise<ReadonlySet<string>> {
  requireRepository(context);
  const ignored = new Set<string>();
  await listWorkTree(context, readIndex(context).files, ignored);
  return ignored;
}

/** Files with conflicts, by path without a leading `/`. */
export function unmergedFiles(context: GitContext): ReadonlyMap<string, GitStages> {
  requireRepository(context);
  return readIndex(context).unmerged;
}

/** Ids of a commit's trees by path; the root's is "". */
export async function foldersOf(context: GitContext, commit: string): Promise<ReadonlyMap<string, string>> {
  requireRepository(context);
  return (await flattenTree(context, await treeOf(context, await resolveCommit(context, commit)))).trees;
}

export async function readBlob(context: GitContext, oid: string): Promise<Uint8Array> {
  requireRepository(context);
  return new Uint8Array(readBlobBytes(context, oid));
}

const SHORT_ID = /^([0-9a-f]{4,39})((?:[~^]\d*)*)$/;

/** The commit that a name means, also a short id; undefined for none. */
export async function commitAt(context: GitContext, name: string): Promise<GitCommitData | undefined> {
  requireRepository(context);
  const oid = await findCommit(context, name);
  if (oid === undefined) return undefined;
  const { commit } = await readCommit({ ...context.repo, oid });
  const { tree, parent: parents, author, committer, message } = commit;
  return { oid, tree, parents, author, committer, message };
}

async function findCommit(context: GitContext, name: string): Promise<string | undefined> {
  try {
    return await resolveCommit(context, name);
  } catch (error) {
    if (!hasCode(error, "git-not-found")) throw error;
  }
  const [, short, steps = ""] = SHORT_ID.exec(name) ?? [];
  if (short === undefined) return undefined;
  try {
    return await resolveCommit(context, (await expandOid({ ...context.repo, oid: short })) + steps);
  } catch (error) {
    if (hasCode(error, "git-not-found") || isLibraryMiss(error)) return undefined;
    throw error;
  }
}

function isLibraryMiss(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    /^(NotFoundError|AmbiguousError|ObjectTypeError)$/.test(String(error.code))
  );
}

/** Branches, branches of remotes and tags. */
export async function allRefs(context: GitContext): Promise<GitRefData[]> {
  requireRepository(context);
  const names = (await listBranches({ ...context.repo })).map((name) => `refs/heads/${name}`);
  for (const remote of context.files.list("refs/remotes").keys()) {
    const branches = await listBranches({ ...context.repo, remote });
    names.push(...branches.filter((branch) => branch !== "HEAD").map((branch) => `refs/remotes/${remote}/${branch}`));
  }
  names.push(...(await listTags({ ...context.repo })).map((name) => `refs/tags/${name}`));
  const refs: GitRefData[] = [];
  for (const name of names.sort()) {
    const oid = await resolveRef({ ...context.repo, ref: name }).catch(() => undefined);
    if (oid !== undefined) refs.push({ name, oid });
  }
  return refs;
}

/** Sets a branch, a tag or the stash, or removes it. */
export async function setRef(context: GitContext, name: string, oid: string | undefined): Promise<void> {
  requireRepository(context);
  if (!/^refs\/((heads|tags)\/.|stash$)/.test(name) || !isRefName(name))
    throw new TenrecError("git-refused", {
      what: `the name ${quote(name)}`,
      reason: "it is no name for a branch or a tag",
    });
  if (oid === undefined) await deleteRef({ ...context.repo, ref: name });
  else await writeRef({ ...context.repo, ref: name, value: await resolveCommit(context, oid), force: true });
}

/** Keys that change where git reads or sends, or what it runs, are not for a command line. */
const REFUSED_KEYS =
  /^(core\.(?!quotepath$)|include|url\.|http|credential|remote\..*\.(url|pushurl|proxy|uploadpack|receivepack)$|filter\.|diff\.|merge\.)/i;

export async function readConfig(context: GitContext, key: string): Promise<string | undefined> {
  requireRepository(context);
  const value: unknown = await getConfig({ ...context.repo, path: key });
  return value === undefined || value === null ? undefined : String(value as string);
}

export async function writeConfig(context: GitContext, key: string, value: string | undefined): Promise<void> {
  requireRepository(context);
  const isKey = /^[a-zA-Z][\w-]*(\..+)?\.[a-zA-Z][\w-]*$/.test(key) && !/[\n\r\0"\\\]]/.test(key);
  if (!isKey || (value !== undefined && /[\n\r\0]/.test(value)) || REFUSED_KEYS.test(key))
    throw new TenrecError("git-refused", { what: `the setting ${quote(key)}`, reason: "it is not for a command line" });
  await setConfig({ ...context.repo, path: key, value });
}
