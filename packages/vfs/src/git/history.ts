import { TenrecError } from "@tenrec/protocol";
import { log as readLog } from "isomorphic-git";
import { checkLimit } from "../check-limit.ts";
import { splitPath } from "../path.ts";
import type { GitContext } from "./context.ts";
import { flattenTree } from "./flat-tree.ts";
import type { GitAuthor } from "./git-options.ts";
import { readBlobBytes } from "./objects.ts";
import { headCommit, requireRepository, resolveCommit, treeOf } from "./refs.ts";

export interface GitCommit {
  readonly id: string;
  readonly message: string;
  readonly author: GitAuthor;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly parents: readonly string[];
}

export interface LogOptions {
  /** Where to begin; default `HEAD`. */
  readonly from?: string;
  /** Default 20. */
  readonly limit?: number;
}

const DEFAULT_LOG_LIMIT = 20;

/** Commits, the newest first; ends where a shallow clone does. None before the first commit. */
export async function log(context: GitContext, options: LogOptions = {}): Promise<GitCommit[]> {
  requireRepository(context);
  if (options.from === undefined && (await headCommit(context)) === undefined) return [];
  const ref = await resolveCommit(context, options.from ?? "HEAD");
  const limit = checkLimit("limit", options.limit ?? DEFAULT_LOG_LIMIT);
  // To the library, 0 is no limit.
  const commits = await readLog({ ...context.repo, ref, depth: Math.max(limit, 1) });
  return commits.slice(0, limit).map(({ oid, commit }) => ({
    id: oid,
    message: commit.message,
    author: { name: commit.author.name, email: commit.author.email },
    at: commit.author.timestamp * 1000,
    parents: commit.parent,
  }));
}

/** A file of a commit; `git-not-found` for none. A submodule has no content. */
export async function readFileAt(context: GitContext, commit: string, path: string): Promise<Uint8Array> {
  requireRepository(context);
  const oid = await resolveCommit(context, commit);
  const { files } = await flattenTree(context, await treeOf(context, oid));
  const file = files.get(splitPath(path).join("/"));
  if (file === undefined || file.mode === 0o160000)
    throw new TenrecError("git-not-found", { what: `file at ${path} in ${oid}` });
  return new Uint8Array(readBlobBytes(context, file.oid));
}
