import { pruneCheckpoints, type Retention } from "./checkpoints.ts";
import { deleteObjects, spill } from "./spill.ts";
import { sweep, type Swept } from "./sweep.ts";
import { type StoreParts, storeParts, type TreeStore } from "./tree-store.ts";

export interface MaintainOptions extends Retention {
  /** Trees that somebody else refers to; they and all that is in them stay. */
  readonly keep?: Iterable<string>;
  /** Milliseconds that a content stays although nothing refers to it; default an hour. */
  readonly graceMs?: number;
  readonly signal?: AbortSignal;
}

/** What a maintenance did. */
export interface Maintained {
  /** Checkpoints that the retention gave up. */
  readonly checkpoints: number;
  /** Contents and directory nodes that nothing referred to, and their bytes. */
  readonly contents: number;
  readonly bytes: number;
  readonly nodes: number;
  /** Contents that moved to the bucket, and their bytes. */
  readonly spilled: { readonly contents: number; readonly bytes: number };
  /** Objects deleted from the bucket. */
  readonly objects: number;
}

const HOUR_MS = 3_600_000;

/**
 * Gives up old checkpoints, deletes what nothing refers to, moves large contents to the bucket and deletes the objects
 * that are left over there. Work may go on meanwhile; a crash at any moment loses nothing and leaves nothing that the
 * next maintenance does not find. A call while one runs gets that one's answer, and what it wants to `keep` stays too.
 * Fails with `EIO` or `timeout` when the bucket does; what was done stays done.
 */
export function maintain(store: TreeStore, options: MaintainOptions = {}): Promise<Maintained> {
  const parts = storeParts(store);
  if (parts.maintenance) {
    const kept = parts.pins.hold([...(options.keep ?? [])]);
    const release = (): void => kept[Symbol.dispose]();
    parts.maintenance.then(release, release);
    return parts.maintenance;
  }
  parts.maintenance = run(store, options).finally(() => {
    parts.maintenance = undefined;
  });
  return parts.maintenance;
}

async function run(store: TreeStore, options: MaintainOptions): Promise<Maintained> {
  const parts = storeParts(store);
  const { graceMs = HOUR_MS, keep = [], signal } = options;
  const checkpoints = pruneCheckpoints(parts.storage, options, parts.now());
  const before = parts.now() - graceMs;
  const swept = await sweepAll(parts, keep, before, signal);
  // First what takes room, whatever becomes of the uploads.
  const objects = await deleteObjects(parts, before);
  const spilled = await spill(parts, signal);
  return { checkpoints, ...swept, spilled, objects };
}

async function sweepAll(
  parts: StoreParts,
  keep: Iterable<string>,
  before: number,
  signal: AbortSignal | undefined,
): Promise<Swept> {
  using written = parts.nodes.recordWrites();
  const pinned = (): { trees: string[]; contents: Set<string> } => {
    const { trees, contents } = parts.pins.now();
    return { trees: [...trees, ...written.hashes], contents };
  };
  return await sweep({ ...parts, pinned }, keep, before, signal);
}
