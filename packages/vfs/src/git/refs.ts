import { TenrecError } from "@tenrec/protocol";
import { currentBranch, findMergeBase, readCommit, resolveRef } from "isomorphic-git";
import type { GitContext } from "./context.ts";
import { clean } from "./git-error.ts";
import { isRefName } from "./git-path.ts";

const OID = /^[0-9a-f]{40}$/;

/** `git-not-found` unless the repository is there. */
export function requireRepository(context: GitContext): void {
  if (context.files.stat("HEAD") === undefined) {
    throw new TenrecError("git-not-found", { what: "repository here; clone one, or init" });
  }
}

/** More steps than this are no history that anybody has here. */
const MAX_STEPS = 10_000;

/** The full commit id of a branch, tag, full ref, full id, or `HEAD`, with any number of `~` and `^` behind it. */
export async function resolveCommit(context: GitContext, name: string): Promise<string> {
  const [, base = "", steps = ""] = /^(.*?)((?:[~^]\d*)*)$/s.exec(name) ?? [];
  let oid = await resolveName(context, base);
  for (const [, sign, number = ""] of steps.matchAll(/([~^])(\d*)/g)) {
    const count = number === "" ? 1 : Number(number);
    for (let step = 0; oid !== undefined && step < (sign === "~" ? Math.min(count, MAX_STEPS) : 1); step++) {
      // `^0` is the commit itself.
      if (count > 0) oid = await parentOf(context, oid, sign === "~" ? 0 : count - 1);
    }
  }
  if (oid === undefined) throw new TenrecError("git-not-found", { what: `commit ${clean(context, name)}` });
  return oid;
}

async function resolveName(context: GitContext, name: string): Promise<string | undefined> {
  if (name !== "HEAD" && !OID.test(name) && !isRefName(name)) return undefined;
  const oid = OID.test(name) ? name : await orNothing(resolveRef({ ...context.repo, ref: name }));
  // Through an annotated tag to its commit.
  return oid && (await orNothing(readCommit({ ...context.repo, oid })))?.oid;
}

/** What is there; an error that is not about that stays one. */
async function orNothing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "NotFoundError") return undefined;
    throw error;
  }
}

async function parentOf(context: GitContext, oid: string, index: number): Promise<string | undefined> {
  return (await readCommit({ ...context.repo, oid })).commit.parent[index];
}

/** The commit of `HEAD`; undefined before the first one. */
export async function headCommit(context: GitContext): Promise<string | undefined> {
  return orNothing(resolveRef({ ...context.repo, ref: "HEAD" }));
}

/** The name of the branch; undefined when `HEAD` is a commit. */
export async function headBranch(context: GitContext): Promise<string | undefined> {
  return (await currentBranch({ ...context.repo, test: false })) ?? undefined;
}

/** The commit that two have in common; undefined when there is none, or more than one. */
export async function mergeBase(context: GitContext, a: string, b: string): Promise<string | undefined> {
  const bases: unknown[] = await findMergeBase({ ...context.repo, oids: [a, b] });
  return bases.length === 1 ? String(bases[0]) : undefined;
}

export async function treeOf(context: GitContext, commit: string | undefined): Promise<string | undefined> {
  return commit === undefined ? undefined : (await readCommit({ ...context.repo, oid: commit })).commit.tree;
}
