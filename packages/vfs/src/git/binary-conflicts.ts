import { isBinary } from "@tenrec/protocol";
import type { GitContext } from "./context.ts";
import { flattenTree } from "./flat-tree.ts";
import type { TrackedFile } from "./index-file.ts";
import { readBlobBytes } from "./objects.ts";
import { mergeBase, treeOf } from "./refs.ts";

const REGULAR = 0o100000;

/**
 * Files that both sides changed and that are no text in UTF-8. Nobody can merge their lines; the library would, and put
 * U+FFFD in place of what it cannot read.
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
    if (!isText(context, mine) || !isText(context, other)) paths.push(path);
  }
  return paths;
}

function isText(context: GitContext, { mode, oid }: TrackedFile): boolean {
  if ((mode & 0o170000) !== REGULAR) return false;
  const bytes = readBlobBytes(context, oid);
  if (isBinary(bytes)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
