import type { GitCommitData } from "@tenrec/protocol";
import { notHere } from "./git-call.ts";

/**
 * What is printed of commits, with the graph beside it: a line that no other one leaves or joins. Any other history is
 * refused.
 */
export function withGraph(
  texts: readonly string[],
  walked: readonly GitCommitData[],
  last: GitCommitData | undefined,
  hidden: ReadonlySet<string>,
): string {
  for (const [at, { parents }] of walked.entries()) {
    const next = walked[at + 1];
    if (parents.length > 1 || (next && parents[0] !== next.oid))
      notHere(
        "--graph for a history that branches",
        "run git log without it; --merges shows where branches were joined",
      );
  }
  const goesOn = last?.parents.some((parent) => !hidden.has(parent)) ?? false;
  return texts
    .map((text, at) => {
      // What is between two commits belongs to the one before.
      const isLast = at === texts.length - 1;
      const gap = at > 0 && text.startsWith("\n");
      const lines = (gap ? text.slice(1) : text).split("\n");
      const end = lines.at(-1) === "" ? lines.splice(-1) : [];
      const side = isLast && !goesOn ? "  " : "| ";
      return (
        (gap ? "| \n" : "") + [...lines.map((line, number) => (number === 0 ? "* " : side) + line), ...end].join("\n")
      );
    })
    .join("");
}
