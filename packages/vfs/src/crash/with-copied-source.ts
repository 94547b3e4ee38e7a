import { newMarks, markTree } from "../mark.ts";
import { type TreeSource, treeSource } from "../tree-source.ts";
import { storeParts, type TreeStore } from "../tree-store.ts";

/** Another store with a tree of this one: what it has to give is copied out now. */
export async function copySource(store: TreeStore, tree: string): Promise<TreeSource> {
  const { sql } = storeParts(store).storage;
  const marks = newMarks();
  for (const _ of markTree(sql, marks, tree));
  const source = treeSource(store);
  const nodes = await source.nodes([...marks.nodes]);
  const contents = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const hash of marks.contents) {
    const [row] = sql
      .exec<{ size: number }>("SELECT SUM(size) AS size FROM tenrec_blobs WHERE hash = ?", hash)
      .toArray();
    const stream = await source.content(hash, row?.size ?? 0);
    contents.set(hash, new Uint8Array(await new Response(stream).arrayBuffer()));
  }
  return {
    nodes: async (hashes) => nodes.filter(({ hash }) => hashes.includes(hash)),
    contents: async (hashes) =>
      [...contents].flatMap(([hash, bytes]) =>
        hashes.includes(hash) && bytes.length <= 1024 * 1024 ? [{ hash, bytes }] : [],
      ),
    content: async (hash) => new Response(contents.get(hash) ?? null).body ?? new ReadableStream(),
  };
}
