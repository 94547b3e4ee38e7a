import type { FileDiff } from "@tenrec/protocol";
import { type QuotePath, quotePath } from "./quote-path.ts";

/** The patch of a file with its names quoted as this call has it; trees have no settings. */
export function withQuotedNames(
  { patch, path, from = path }: FileDiff,
  quote: QuotePath,
  [before, after]: readonly [string, string] = ["a/", "b/"],
): string {
  if (quotePath(from) === from && quotePath(path) === path && before === "a/" && after === "b/") return patch;
  const [left, right] = [quote(before + from.slice(1)), quote(after + path.slice(1))];
  const renamed = { "rename from ": quote(from.slice(1)), "rename to ": quote(path.slice(1)) };
  let isHeader = false;
  const lines = patch.split("\n").map((line) => {
    // No line of a hunk begins with a letter.
    if (line.startsWith("diff --git ")) isHeader = true;
    else if (line.startsWith("@@ ")) isHeader = false;
    if (!isHeader) return line;
    if (line.startsWith("diff --git ")) return `diff --git ${left} ${right}`;
    const tab = line.endsWith("\t") ? "\t" : "";
    if (line.startsWith("--- ")) return line === "--- /dev/null" ? line : `--- ${left}${tab}`;
    if (line.startsWith("+++ ")) return line === "+++ /dev/null" ? line : `+++ ${right}${tab}`;
    if (line.startsWith("Binary files ")) return binaryLine(line, left, right);
    for (const [start, name] of Object.entries(renamed)) if (line.startsWith(start)) return start + name;
    return line;
  });
  return lines.join("\n");
}

function binaryLine(line: string, left: string, right: string): string {
  const before = line.startsWith("Binary files /dev/null and ") ? "/dev/null" : left;
  const after = line.endsWith(" and /dev/null differ") ? "/dev/null" : right;
  return `Binary files ${before} and ${after} differ`;
}
