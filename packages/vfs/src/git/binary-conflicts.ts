import { isBinary, TenrecError } from "@tenrec/protocol";
import type { GitContext } from "./context.ts";
import { flattenTree } from "./flat-tree.ts";
import type { TrackedFile } from "./index-file.ts";
import { isCheapToCompare } from "./merge-cost.ts";
import { readBlobBytes } from "./objects.ts";
import { mergeBase, treeOf } from "./refs.ts";

const REGULAR = 0o100000;

/**
 * Files that both sides changed and that are no text in UTF-8. Nobody can merge their lines; the library would, and put
 * U+FFFD in place of what it cannot read. `unsupported` for a text of which so much is new that it would fill the memory.
 */
export async function binaryConflicts(context: GitContext, ours: string, theirs: string): Promise<string[]> {
  const base = await mergeBase(context, ours, theirs);
  if (base === undefined || base === ours || base === theirs) return [];
  const filesOf = async (commit: string): Promise<Map<string, TrackedFile>> =>
    (await flattenTree(context, await treeOf(context, commit))).files;
  const [inBase, inOurs, inTheirs] = [await filesOf(base), await filesOf(ours), await filesOf(theirs)];
  const paths: string[] = [];
  for (const [path, mine] of inOurs) {
    const other = inTheirs.get(path);
    const before = inBase.get(path)?.oid;
    if (!other || mine.oid === other.oid || mine.oid === before || other.oid === before) continue;
    const [left, right] = [linesOf(context, mine), linesOf(context, other)];
    const from = linesOf(context, inBase.get(path)) ?? [];
    if (!left || !right) paths.push(path);
    else if (!isCheapToCompare(from, left) || !isCheapToCompare(from, right)) {
      const what = `a merge of /${path}, which both sides changed and one of them in too many lines`;
      throw new TenrecError("unsupported", { what, by: "git here" });
    }
  }
  return paths;
}

/** `undefined` for what is no text. */
function linesOf(context: GitContext, file: TrackedFile | undefined): string[] | undefined {
  if (file === undefined || (file.mode & 0o170000) !== REGULAR) return undefined;
  const bytes = readBlobBytes(context, file.oid);
  if (isBinary(bytes)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).split("\n");
  } catch {
    return undefined;
  }
}
