import type { BucketOptions } from "../bucket.ts";
import { readContent, streamContent } from "../content.ts";
import { newMarks, markTree } from "../mark.ts";
import { decodeNode, nodeHash } from "../node.ts";
import type { NodeStore } from "../node-store.ts";
import { sha256 } from "../sha256.ts";
import type { StorageLike } from "../sql.ts";
import { storeParts, TreeStore } from "../tree-store.ts";

/** What is in a bucket. */
export interface BucketContents {
  keys(): Promise<string[]>;
  /** Multipart uploads that nobody finished. */
  openUploads?(): number;
}

/** Everything that a commit may change, as one text: heads, checkpoints and the caller's rows. */
export function worldOf({ sql }: StorageLike): string {
  const rows = (query: string): unknown[] => sql.exec(query).toArray();
  return JSON.stringify({
    heads: rows("SELECT name, tree FROM tenrec_heads ORDER BY name"),
    checkpoints: rows("SELECT head, id, tree, label FROM tenrec_checkpoints ORDER BY head, id"),
    journal: rows("SELECT head, tree FROM journal ORDER BY id"),
  });
}

/**
 * What is wrong with what is stored: a node whose hash is not that of its text, or that refers to something that is not
 * there; a content that is not what its hash says or has another size than its file; a file that cannot be read.
 */
export async function damages(storage: StorageLike, bucket: BucketOptions): Promise<string[]> {
  const { sql } = storage;
  const parts = storeParts(new TreeStore(storage, { bucket }));
  const found: string[] = [];
  const readable = new Map<string, number | string>();
  const rows = sql.exec<{ hash: string; size: number }>(
    "SELECT hash, SUM(size) AS size FROM tenrec_blobs WHERE state != 'pending' GROUP BY hash",
  );
  for (const { hash, size } of rows.toArray()) readable.set(hash, await readProblem(parts, { hash, size }));
  for (const [hash, size] of readable) if (typeof size === "string") found.push(`content ${hash}: ${size}`);
  const nodes = sql.exec<NodeRow>("SELECT hash, kind, entries FROM tenrec_nodes").toArray();
  for (const node of nodes) found.push(...nodeProblems(node, parts, readable));
  for (const tree of rootsOf(storage)) if (!parts.nodes.has(tree)) found.push(`tree ${tree} is missing`);
  return found;
}

interface NodeRow extends Record<string, string> {
  readonly hash: string;
  readonly kind: string;
  readonly entries: string;
}

function nodeProblems(
  { hash, kind, entries }: NodeRow,
  { nodes }: { readonly nodes: NodeStore },
  readable: ReadonlyMap<string, number | string>,
): string[] {
  const found = nodeHash(kind, entries) === hash ? [] : [`node ${hash} is another`];
  const requireNode = (child: string): void => {
    if (!nodes.has(child)) found.push(`node ${hash} lacks its part ${child}`);
  };
  const node = decodeNode(kind, entries, "[]");
  if (node.kind === "fan") {
    for (const child of node.children) if (child) requireNode(child.hash);
    return found;
  }
  for (const [name, entry] of node.entries) {
    if (entry.kind === "directory") requireNode(entry.hash);
    if (entry.kind !== "file" || entry.size === 0) continue;
    if (readable.get(entry.hash) !== entry.size) found.push(`file ${name} of node ${hash} cannot be read`);
  }
  return found;
}

type Host = Parameters<typeof readContent>[0];

/** The size of a content that can be read whole and in pieces, or why not. */
async function readProblem(host: Host, file: { hash: string; size: number }): Promise<number | string> {
  try {
    const bytes = await readContent(host, file, file.hash);
    if (sha256(bytes) !== file.hash) return "is something else";
    let streamed = 0;
    for await (const piece of streamContent(host, file, file.hash)) streamed += piece.length;
    return streamed === bytes.length ? streamed : "has another length as a stream";
  } catch (error) {
    return String(error);
  }
}

function rootsOf({ sql }: StorageLike): string[] {
  const rows = sql.exec<{ tree: string }>("SELECT tree FROM tenrec_heads UNION SELECT tree FROM tenrec_checkpoints");
  return rows.toArray().map(({ tree }) => tree);
}

/** What is stored although no head and no checkpoint refers to it: rows, records, objects, uploads. */
export async function orphans(storage: StorageLike, bucket: BucketContents): Promise<string[]> {
  const { sql } = storage;
  const marks = newMarks();
  for (const tree of rootsOf(storage)) for (const _ of markTree(sql, marks, tree));
  const column = (query: string): string[] =>
    sql
      .exec<{ value: string }>(query)
      .toArray()
      .map(({ value }) => value);
  const keys = new Set(column("SELECT key AS value FROM tenrec_blobs WHERE key IS NOT NULL"));
  return [
    ...column("SELECT hash AS value FROM tenrec_nodes").filter((hash) => !marks.nodes.has(hash)),
    ...column("SELECT DISTINCT hash AS value FROM tenrec_blobs").filter((hash) => !marks.contents.has(hash)),
    ...column("SELECT key AS value FROM tenrec_bucket_keys"),
    ...(await bucket.keys()).filter((key) => !keys.has(key)),
    ...Array.from({ length: bucket.openUploads?.() ?? 0 }, () => "an upload that nobody finished"),
  ];
}
