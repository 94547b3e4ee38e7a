import type { TrackedFile } from "./index-file.ts";
import { type Comparison, isSameFile } from "./status.ts";

/** What a checkout does to the work tree and the index. */
export interface CheckoutPlan {
  /** Files to be written, by path without a leading `/`. */
  readonly write: Map<string, TrackedFile>;
  readonly remove: Set<string>;
  /** What the index is afterwards. */
  readonly index: Map<string, TrackedFile>;
  /** Paths whose changes would be lost. Never empty handed: without `force`, nothing is done when there are any. */
  readonly conflicts: string[];
}

/**
 * From what is there to the files of another commit. Changes of files that both commits have alike stay, as with git; with
 * `force`, every tracked file becomes what the commit has.
 */
export function planCheckout(
  { head, index, work }: Comparison,
  target: ReadonlyMap<string, TrackedFile>,
  force: boolean,
): CheckoutPlan {
  const plan: CheckoutPlan = { write: new Map(), remove: new Set(), index: new Map(index.files), conflicts: [] };
  for (const path of new Set([...head.keys(), ...index.files.keys(), ...target.keys(), ...index.unmerged.keys()])) {
    const wanted = target.get(path);
    if (!force) {
      if (isSameFile(head.get(path), wanted) && !index.unmerged.has(path)) continue;
      const isStaged = !isSameFile(index.files.get(path), head.get(path));
      const isChanged = !isSameFile(work.get(path), index.files.get(path));
      const isThere = isSameFile(work.get(path), wanted) && isSameFile(index.files.get(path), wanted);
      const isSafe = isThere || (!isStaged && (!isChanged || isSameFile(work.get(path), wanted)));
      if (!isSafe || index.unmerged.has(path)) {
        plan.conflicts.push(`/${path}`);
        continue;
      }
    }
    if (wanted) plan.index.set(path, wanted);
    else plan.index.delete(path);
    if (isSameFile(work.get(path), wanted)) continue;
    if (wanted) plan.write.set(path, wanted);
    else plan.remove.add(path);
  }
  return plan;
}
