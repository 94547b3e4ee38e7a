import { readSmallBlobs } from "./blobs.ts";
import { streamContent } from "./content.ts";
import { storeParts, type TreeStore } from "./tree-store.ts";

/** A directory node as it is stored. */
export interface SourceNode {
  readonly hash: string;
  readonly kind: string;
  readonly entries: string;
  readonly mtimes: string;
}

/** Where a tree can be fetched from: another object's store, over RPC. What is not there is absent from the answers. */
export interface TreeSource {
  nodes(hashes: readonly string[]): Promise<readonly SourceNode[]>;
  /** Contents of at most 1 MiB each, some 4 MiB together. */
  contents(hashes: readonly string[]): Promise<readonly { readonly hash: string; readonly bytes: Uint8Array }[]>;
  /** One content of any size. */
  content(hash: string, size: number): Promise<ReadableStream<Uint8Array>>;
}

/** A store as a source for another one. Its methods can be called over RPC when an object hands them on. */
export function treeSource(store: TreeStore): TreeSource {
  const parts = storeParts(store);
  const { sql } = parts.storage;
  return {
    async nodes(hashes) {
      return sql
        .exec<{ hash: string; kind: string; entries: string; mtimes: string }>(
          `SELECT hash, kind, entries, mtimes FROM tenrec_nodes WHERE hash IN (SELECT value FROM json_each(?))`,
          JSON.stringify(hashes),
        )
        .toArray();
    },
    async contents(hashes) {
      const wanted = new Set(hashes);
      const found = readSmallBlobs(sql, [...wanted]);
      return Array.from(found, ([hash, bytes]) => ({ hash, bytes })).filter(({ hash }) => wanted.has(hash));
    },
    async content(hash, size) {
      return byteStream(streamContent(parts, { hash, size }, hash));
    },
  };
}

/** RPC carries streams of bytes only. */
function byteStream(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (!done) {
        controller.enqueue(value);
        return;
      }
      controller.close();
      // A reader that brought its own buffer waits for it.
      controller.byobRequest?.respond(0);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
