import type { GitCommitData } from "@tenrec/protocol";
import type { GitCall } from "./git-call.ts";

/** Commits from some on, the newest first, each once; without those that are hidden. Ends where a shallow clone does. */
export async function* walkHistory(
  call: GitCall,
  from: readonly GitCommitData[],
  hidden: ReadonlySet<string>,
  isFirstParent = false,
): AsyncGenerator<GitCommitData> {
  const open = [...from];
  const seen = new Set(hidden);
  while (open.length > 0) {
    call.shell.signal.throwIfAborted();
    open.sort((a, b) => b.committer.timestamp - a.committer.timestamp);
    const commit = open.shift();
    if (!commit || seen.has(commit.oid)) continue;
    seen.add(commit.oid);
    yield commit;
    for (const parent of isFirstParent ? commit.parents.slice(0, 1) : commit.parents) {
      const found = seen.has(parent) ? undefined : await call.git.commitAt(parent);
      if (found) open.push(found);
    }
  }
}

/** The commits that two have in common and that no other such commit comes from; the newest first. */
export async function mergeBases(
  call: GitCall,
  left: GitCommitData,
  right: GitCommitData,
): Promise<readonly GitCommitData[]> {
  const ours = new Set<string>();
  for await (const { oid } of walkHistory(call, [left], new Set())) ours.add(oid);
  const found: GitCommitData[] = [];
  const seen = new Set<string>();
  const open = [right];
  for (let commit = open.pop(); commit; commit = open.pop()) {
    call.shell.signal.throwIfAborted();
    if (seen.has(commit.oid)) continue;
    seen.add(commit.oid);
    if (ours.has(commit.oid)) found.push(commit);
    else for (const parent of commit.parents) open.push(...((await maybe(call, parent)) ?? []));
  }
  const best: GitCommitData[] = [];
  for (const commit of found) if (!(await isBehindOther(call, commit, found))) best.push(commit);
  return best.sort((a, b) => b.committer.timestamp - a.committer.timestamp);
}

async function maybe({ git }: GitCall, oid: string): Promise<[GitCommitData] | undefined> {
  const commit = await git.commitAt(oid);
  return commit && [commit];
}

/** Whether another one of these comes from a commit. */
export async function isBehindOther(
  call: GitCall,
  { oid }: GitCommitData,
  found: readonly GitCommitData[],
): Promise<boolean> {
  for (const other of found) if (other.oid !== oid && (await isAncestor(call, oid, other))) return true;
  return false;
}

/** Whether a commit is another one, or behind it. */
export async function isAncestor(call: GitCall, oid: string, of: GitCommitData): Promise<boolean> {
  for await (const commit of walkHistory(call, [of], new Set())) if (commit.oid === oid) return true;
  return false;
}
