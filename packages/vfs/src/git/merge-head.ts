import { TenrecError } from "@tenrec/protocol";
import type { GitContext } from "./context.ts";

/** The other side of a merge that waits for its commit. */
export function mergeHead(context: GitContext): string | undefined {
  const bytes = context.files.read("MERGE_HEAD");
  return bytes && new TextDecoder().decode(bytes).trim();
}

/** What such a merge left; nothing when there is none. */
export function endMerge(context: GitContext): void {
  for (const file of ["MERGE_HEAD", "MERGE_MSG"]) if (context.files.stat(file)) context.files.remove(file);
}

/** `request-invalid` while one waits. */
export function requireNoMerge(context: GitContext): void {
  if (mergeHead(context) === undefined) return;
  throw new TenrecError("request-invalid", {
    reason: "a merge waits for its commit; resolve, add and commit it, or give it up with a forced reset to HEAD",
  });
}
