import { clearBlob, OF_HASH } from "./blobs.ts";
import { markTree, newMarks, type Marks } from "./mark.ts";
import type { SqlLike, StorageLike } from "./sql.ts";
import { nextTick } from "./next-tick.ts";

const NODES_BETWEEN_YIELDS = 64;
const ROWS_PER_PAGE = 500;

export interface SweepHost {
  readonly storage: StorageLike;
  readonly now: () => number;
  /**
   * Trees and contents that work in progress needs, and the nodes that were written since the sweep began; asked again
   * whenever something is about to go.
   */
  readonly pinned: () => { readonly trees: Iterable<string>; readonly contents: ReadonlySet<string> };
}

/** What nobody referred to any more. */
export interface Swept {
  readonly contents: number;
  readonly bytes: number;
  readonly nodes: number;
}

/**
 * Deletes the directory nodes and contents that are in no head, no checkpoint, no tree of `keep` and no open overlay.
 * Contents that came after `before` (milliseconds since the epoch) stay. Objects in the bucket are condemned, not
 * deleted. Commits may go on meanwhile: what goes is judged by the trees of its own moment, in its own transaction.
 *
 * A node that is in the store is there with all that is below it, at every moment. So all nodes go in one transaction,
 * and before the contents do.
 */
export async function sweep(
  host: SweepHost,
  keep: Iterable<string>,
  before: number,
  signal?: AbortSignal,
): Promise<Swept> {
  const { storage } = host;
  const kept = [...keep];
  const marks = newMarks();
  let steps = 0;
  for (const root of rootsOf(host, kept)) {
    for (const _ of markTree(storage.sql, marks, root)) {
      if (++steps % NODES_BETWEEN_YIELDS === 0) await rest(signal);
    }
  }
  const swept = { contents: 0, bytes: 0, nodes: 0 };
  const markNew = (): void => {
    // Few nodes: those that came since.
    for (const root of rootsOf(host, kept)) for (const _ of markTree(storage.sql, marks, root));
  };
  const unmarked = await unmarkedNodes(storage, marks, signal);
  storage.transactionSync(() => {
    markNew();
    swept.nodes = deleteNodes(
      storage,
      unmarked.filter((hash) => !marks.nodes.has(hash)),
    );
  });
  for (let after: number | undefined = 0; after !== undefined; await rest(signal)) {
    const from: number = after;
    after = storage.transactionSync(() => (markNew(), sweepContents(host, marks, swept, { after: from, before })));
  }
  return swept;
}

function* rootsOf({ storage, pinned }: SweepHost, kept: readonly string[]): Generator<string> {
  yield* kept;
  yield* pinned().trees;
  const rows = storage.sql.exec<{ tree: string }>(
    "SELECT tree FROM tenrec_heads UNION SELECT tree FROM tenrec_checkpoints",
  );
  for (const { tree } of rows.toArray()) yield tree;
}

type Counts = { -readonly [K in keyof Swept]: Swept[K] };

/** One page; returns where the next one starts, `undefined` after the last. */
function sweepContents(
  { storage, now, pinned }: SweepHost,
  marks: Marks,
  swept: Counts,
  { after, before }: { readonly after: number; readonly before: number },
): number | undefined {
  const { sql } = storage;
  const rows = sql
    .exec<{ id: number; hash: string; at: number }>(
      "SELECT rowid AS id, hash, changed_at AS at FROM tenrec_blobs WHERE rowid > ? ORDER BY rowid LIMIT ?",
      after,
      ROWS_PER_PAGE,
    )
    .toArray();
  const { contents } = pinned();
  for (const { hash, at } of rows) {
    if (at > before || marks.contents.has(hash) || contents.has(hash)) continue;
    const bytes = bytesBefore(sql, hash, before);
    if (bytes === undefined) continue;
    clearBlob(sql, hash, now());
    swept.contents++;
    swept.bytes += bytes;
  }
  return rows.length < ROWS_PER_PAGE ? undefined : rows.at(-1)?.id;
}

/** `undefined` when the content is gone, or when a part of it came later. */
function bytesBefore(sql: SqlLike, hash: string, before: number): number | undefined {
  const [row] = sql
    .exec<{ bytes: number | null; at: number | null }>(
      `SELECT SUM(size) AS bytes, MAX(changed_at) AS at FROM tenrec_blobs WHERE ${OF_HASH}`,
      hash,
    )
    .toArray();
  return row?.at == null || row.at > before ? undefined : (row.bytes ?? 0);
}

async function unmarkedNodes({ sql }: StorageLike, marks: Marks, signal?: AbortSignal): Promise<string[]> {
  const unmarked: string[] = [];
  for (let after: string | undefined = ""; after !== undefined; await rest(signal)) {
    const hashes: string[] = sql
      .exec<{ hash: string }>(
        "SELECT hash FROM tenrec_nodes WHERE hash > ? ORDER BY hash LIMIT ?",
        after,
        ROWS_PER_PAGE,
      )
      .toArray()
      .map(({ hash }) => hash);
    for (const hash of hashes) if (!marks.nodes.has(hash)) unmarked.push(hash);
    after = hashes.length < ROWS_PER_PAGE ? undefined : hashes.at(-1);
  }
  return unmarked;
}

function deleteNodes({ sql }: StorageLike, hashes: readonly string[]): number {
  for (let start = 0; start < hashes.length; start += ROWS_PER_PAGE) {
    sql.exec(
      "DELETE FROM tenrec_nodes WHERE hash IN (SELECT value FROM json_each(?))",
      JSON.stringify(hashes.slice(start, start + ROWS_PER_PAGE)),
    );
  }
  return hashes.length;
}

async function rest(signal: AbortSignal | undefined): Promise<void> {
  await nextTick();
  signal?.throwIfAborted();
}
