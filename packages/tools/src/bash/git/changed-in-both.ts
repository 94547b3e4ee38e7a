import type { GitCall } from "./git-call.ts";

/** Tree paths of files that two sides of a merge changed, and not to the same; sorted. */
export async function changedInBoth(
  { git }: GitCall,
  commits: { readonly base: string; readonly ours: string; readonly theirs: string },
): Promise<Set<string>> {
  const base = await git.files({ commit: commits.base });
  const theirs = await git.files({ commit: commits.theirs });
  const paths: string[] = [];
  for (const [name, { oid }] of await git.files({ commit: commits.ours })) {
    const [before, other] = [base.get(name)?.oid, theirs.get(name)?.oid];
    if (before !== undefined && other !== undefined && new Set([before, oid, other]).size === 3) paths.push(`/${name}`);
  }
  return new Set(paths.sort());
}

/** What git tells of files that it merges by their lines. */
export function autoMergingText(paths: ReadonlySet<string>): string {
  return Array.from(paths, (path) => `Auto-merging ${path.slice(1)}\n`).join("");
}
