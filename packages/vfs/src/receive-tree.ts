import { TenrecError } from "@tenrec/protocol";
import { knownBlobs, PART_BYTES, storedBlobs, writeBlob } from "./blobs.ts";
import type { ContentRef } from "./content.ts";
import { type DirectoryNode, decodeNode, nodeHash } from "./node.ts";
import { sha256 } from "./sha256.ts";
import { Spool } from "./spool.ts";
import type { SourceNode, TreeSource } from "./tree-source.ts";
import { type StoreParts, storeParts, type TreeStore } from "./tree-store.ts";

const NODES_PER_REQUEST = 200;
const BYTES_PER_REQUEST = 4 * 1024 * 1024;

/** What had to be fetched. */
export interface Received {
  readonly nodes: number;
  readonly contents: number;
  readonly bytes: number;
}

export interface ReceiveOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Received) => void;
}

/**
 * Copies a tree from another store: only what this one lacks is fetched. Everything is checked against its hash, `EIO`
 * when it differs or is missing there. The tree exists here when this resolves, and not before; point a head at it then.
 * A call that was cut off can be made again, and fetches what is still missing.
 */
export async function receiveTree(
  store: TreeStore,
  tree: string,
  source: TreeSource,
  { signal, onProgress }: ReceiveOptions = {},
): Promise<Received> {
  const parts = storeParts(store);
  const progress = { nodes: 0, contents: 0, bytes: 0 };
  const contents = new Map<string, ContentRef>();
  const present: string[] = [];
  using _nodes = parts.pins.hold(present);
  const nodes = await receiveNodes(parts, tree, source, { contents, present }, signal);
  using _contents = parts.pins.hold([], new Set(contents.keys()));
  const known = knownBlobs(parts.storage.sql, [...contents.keys()]);
  const missing = [...contents.values()].filter(({ hash }) => !known.has(hash));
  for (const batch of batchesOf(missing)) {
    signal?.throwIfAborted();
    await receiveContents(parts, batch, source, signal);
    progress.contents += batch.length;
    progress.bytes += batch.reduce((sum, { size }) => sum + size, 0);
    onProgress?.({ ...progress });
  }
  parts.storage.transactionSync(() => {
    const stored = storedBlobs(parts.storage.sql, [...contents.keys()]);
    for (const hash of contents.keys()) if (!stored.has(hash)) throw absent(hash);
    for (const node of nodes) parts.nodes.insert(node);
  });
  return { ...progress, nodes: nodes.length };
}

/** What is found on the way through a tree. */
interface Found {
  /** What the nodes that the store lacks refer to. */
  readonly contents: Map<string, ContentRef>;
  /** Nodes that the store has, which have to stay until the others are written. */
  readonly present: string[];
}

/** The nodes that the store lacks. */
async function receiveNodes(
  parts: StoreParts,
  tree: string,
  source: TreeSource,
  { contents, present }: Found,
  signal: AbortSignal | undefined,
): Promise<SourceNode[]> {
  const received: SourceNode[] = [];
  const asked = new Set([tree]);
  // A node that the store has is there with all that is below it.
  const isPresent = (hash: string): boolean => parts.nodes.has(hash) && present.push(hash) > 0;
  let level = isPresent(tree) ? [] : [tree];
  while (level.length > 0) {
    const below: string[] = [];
    for (let start = 0; start < level.length; start += NODES_PER_REQUEST) {
      signal?.throwIfAborted();
      const wanted = level.slice(start, start + NODES_PER_REQUEST);
      const answer = new Map((await source.nodes(wanted)).map((node) => [node.hash, node]));
      for (const hash of wanted) {
        const node = answer.get(hash);
        if (node === undefined) throw absent(hash);
        received.push(node);
        for (const child of refersTo(checked(node), contents)) {
          if (asked.has(child)) continue;
          asked.add(child);
          if (!isPresent(child)) below.push(child);
        }
      }
    }
    level = below;
  }
  return received;
}

function checked(node: SourceNode): DirectoryNode {
  if (nodeHash(node.kind, node.entries) !== node.hash) throw damaged(node.hash);
  return decodeNode(node.kind, node.entries, node.mtimes);
}

/** The nodes that a node refers to; contents are noted. */
function refersTo(node: DirectoryNode, contents: Map<string, ContentRef>): string[] {
  if (node.kind === "fan") return node.children.flatMap((child) => (child ? [child.hash] : []));
  const hashes: string[] = [];
  for (const entry of node.entries.values()) {
    if (entry.kind === "directory") hashes.push(entry.hash);
    else if (entry.kind === "file") contents.set(entry.hash, { hash: entry.hash, size: entry.size });
  }
  return hashes;
}

/** Small ones together, then each large one alone. */
function* batchesOf(contents: readonly ContentRef[]): Generator<ContentRef[]> {
  let batch: ContentRef[] = [];
  let bytes = 0;
  for (const content of contents) {
    if (content.size > PART_BYTES) continue;
    batch.push(content);
    bytes += content.size;
    if (bytes < BYTES_PER_REQUEST) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
  for (const content of contents) if (content.size > PART_BYTES) yield [content];
}

async function receiveContents(
  parts: StoreParts,
  batch: readonly ContentRef[],
  source: TreeSource,
  signal: AbortSignal | undefined,
): Promise<void> {
  const small = new Map(batch.filter(({ size }) => size <= PART_BYTES).map(({ hash, size }) => [hash, size]));
  const answer = small.size > 0 ? await source.contents([...small.keys()]) : [];
  const { storage, now } = parts;
  storage.transactionSync(() => {
    for (const { hash, bytes } of answer) {
      if (bytes.length !== small.get(hash) || sha256(bytes) !== hash) throw damaged(hash);
      writeBlob(storage.sql, hash, bytes, now());
    }
  });
  const came = new Set(answer.map(({ hash }) => hash));
  // Large, or in the other store's bucket.
  for (const content of batch) if (!came.has(content.hash)) await receiveLarge(parts, content, source, signal);
}

async function receiveLarge(
  parts: StoreParts,
  { hash, size }: ContentRef,
  source: TreeSource,
  signal: AbortSignal | undefined,
): Promise<void> {
  const spool = new Spool(parts, { path: hash, maxBytes: size });
  try {
    for await (const piece of await source.content(hash, size)) {
      signal?.throwIfAborted();
      spool.add(piece);
    }
    if (spool.size !== size || spool.hash() !== hash) throw damaged(hash);
    spool.finish();
  } catch (error) {
    spool.drop();
    throw error;
  }
}

function absent(hash: string): TenrecError<"EIO"> {
  return new TenrecError("EIO", { path: hash, reason: "the store it is copied from does not have it" });
}

function damaged(hash: string): TenrecError<"EIO"> {
  return new TenrecError("EIO", { path: hash, reason: "what the other store gave for it is something else" });
}
