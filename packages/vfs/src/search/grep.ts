import type { Buffer } from "node:buffer";
import type { ContentQuery, GrepEvent, GrepFile, GrepQuery } from "@tenrec/protocol";
import { readSmallBlobs } from "../blobs.ts";
import { type AnyFile, isFresh, type OverlayState } from "../overlay/state.ts";
import { contentPieces, wholeContent } from "./content.ts";
import { nextTick } from "../next-tick.ts";
import { FileSearch, type FileToSearch, type GrepPlan, planGrep } from "./file-search.ts";
import { planScope } from "./scope.ts";
import { type Counts, type Found, newCounts, searchRoot, walkScope } from "./walk.ts";
import { lineWindows, toUtf8, utf8Pieces } from "./windows.ts";

/** Small files are read together, so that a search of many costs few statements. */
const BATCH_FILES = 128;
const BATCH_FILE_BYTES = 64 * 1024;
const BATCH_BYTES = 1024 * 1024;

/** Larger files are searched window by window. */
const WHOLE_BYTES = 1024 * 1024;
/** A match that may span lines needs all of a file; larger ones are left out. */
const WHOLE_TEXT_BYTES = 16 * 1024 * 1024;

/** A turn of the event loop takes a millisecond in workerd, so there is one for some ten milliseconds of work. */
const COST_BETWEEN_TICKS = 4 * 1024 * 1024;
const FILE_COST = 4096;
/** A line of an answer, and an answer. */
const LINE_COST = 512;
const EVENT_COST = 8192;

interface Candidate extends Found {
  readonly entry: AnyFile;
}

/** What a search of contents goes with. */
interface Work {
  readonly plan: GrepPlan;
  readonly counts: Counts;
  readonly signal: AbortSignal | undefined;
  /** Work since the last turn of the event loop. */
  cost: number;
}

/** What a search of a tree goes with. */
interface Run extends Work {
  readonly state: OverlayState;
}

/** See `Search`. */
export async function* grep(state: OverlayState, query: GrepQuery, signal?: AbortSignal): AsyncGenerator<GrepEvent> {
  signal?.throwIfAborted();
  const scope = planScope(query);
  const run: Run = { state, plan: planGrep(query), counts: newCounts(scope), signal, cost: 0 };
  for (const path of typeof query.path === "object" ? query.path : [query.path ?? "/"]) {
    const found = walkScope(state, scope, searchRoot(state, path), run.counts);
    for await (const batch of batches(run, found)) yield* searchBatch(run, batch);
  }
  yield { type: "summary", ...run.counts };
}

async function* searchBatch(run: Run, batch: readonly Candidate[]): AsyncGenerator<GrepEvent> {
  const stored = batch.flatMap(({ entry }) => (isFresh(entry) || entry.size > BATCH_FILE_BYTES ? [] : [entry.hash]));
  const contents = stored.length > 0 ? readSmallBlobs(run.state.sql, stored) : undefined;
  for (const candidate of batch) {
    const { entry, path } = candidate;
    if (entry.size > WHOLE_BYTES) {
      yield* run.plan.matcher.wholeText
        ? searchText(run, candidate)
        : searchLarge(run, candidate, contentPieces(run.state, entry, path));
    } else {
      const known = isFresh(entry) ? entry.bytes : contents?.get(entry.hash);
      const content = known ?? wholeContent(run.state, entry, path);
      for (const event of searchWhole(run, candidate, content instanceof Uint8Array ? content : await content)) {
        yield event;
        await spend(run, costOf(event));
      }
    }
    await spend(run, FILE_COST + entry.size);
  }
  run.signal?.throwIfAborted();
}

function* searchWhole(run: Run, candidate: Candidate, bytes: Uint8Array): Generator<GrepFile> {
  const text = toUtf8(bytes);
  const search = yield* searchBuffer(run, candidate, text);
  const { entry } = candidate;
  if (!run.plan.question || isFresh(entry) || search.isBinary || entry.size > WHOLE_BYTES) return;
  run.state.filters.learn(entry.hash, text);
}

function* searchBuffer(run: Work, file: FileToSearch, text: Buffer): Generator<GrepFile, FileSearch> {
  const search = new FileSearch(run.plan, file);
  yield* search.window(text, true);
  yield* search.end();
  count(run, search);
  return search;
}

/** See `Search`. */
export async function* grepContent(
  content: Uint8Array,
  path: string,
  query: ContentQuery,
  signal?: AbortSignal,
): AsyncGenerator<GrepEvent> {
  signal?.throwIfAborted();
  const counts = newCounts({ explain: false });
  const run: Work = { plan: planGrep(query), counts, signal, cost: 0 };
  const file = { path, named: true };
  if (!run.plan.matcher.wholeText) yield* searchLarge(run, file, piecesOf(content));
  else if (content.byteLength > WHOLE_TEXT_BYTES) counts.large++;
  else yield* searchBuffer(run, file, toUtf8(content));
  yield { type: "summary", ...counts };
}

async function* piecesOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.byteLength; at += WHOLE_BYTES) yield content.subarray(at, at + WHOLE_BYTES);
}

/** It is known that the file has nothing to answer, without reading it. */
function isHopeless({ state, plan }: Run, named: boolean, entry: AnyFile): boolean {
  // A file that is named answers also when it is binary.
  if (plan.question === undefined || named || isFresh(entry)) return false;
  const filter = state.filters.get(entry.hash);
  return filter !== undefined && !plan.question.mayFind(filter);
}

async function* searchLarge(
  run: Work,
  file: FileToSearch,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<GrepFile> {
  const search = new FileSearch(run.plan, file);
  for await (const window of lineWindows(utf8Pieces(pieces), run.counts)) {
    for (const event of search.window(window, false)) {
      yield event;
      await spend(run, costOf(event));
    }
    if (search.isDone) break;
    await spend(run, COST_BETWEEN_TICKS);
  }
  yield* search.end();
  count(run, search);
}

async function* searchText(run: Run, candidate: Candidate): AsyncGenerator<GrepFile> {
  if (candidate.entry.size > WHOLE_TEXT_BYTES) {
    run.counts.large++;
    return;
  }
  yield* searchWhole(run, candidate, await wholeContent(run.state, candidate.entry, candidate.path));
}

function count({ counts }: Work, { isBinary }: FileSearch): void {
  if (isBinary) counts.binary++;
  else counts.searched++;
}

function costOf({ lines }: GrepFile): number {
  return EVENT_COST + lines.length * LINE_COST;
}

/** Lets others have their turn when enough was done, and stops when the caller wants that. */
function spend(run: Work, cost: number): Promise<void> | undefined {
  run.cost += cost;
  return run.cost < COST_BETWEEN_TICKS ? undefined : breathe(run);
}

async function breathe(run: Work): Promise<void> {
  run.cost = 0;
  await nextTick();
  run.signal?.throwIfAborted();
}

async function* batches(run: Run, found: Iterable<Found | Promise<unknown>>): AsyncGenerator<Candidate[]> {
  let batch: Candidate[] = [];
  let bytes = 0;
  for (const item of found) {
    if (item instanceof Promise) {
      await item;
      continue;
    }
    const { entry } = item;
    if (entry.kind !== "file") continue;
    if (isHopeless(run, item.named, entry)) {
      run.counts.searched++;
      continue;
    }
    if (batch.length === BATCH_FILES || bytes + entry.size > BATCH_BYTES) {
      if (batch.length > 0) yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push({ ...item, entry });
    bytes += entry.size;
  }
  if (batch.length > 0) yield batch;
}
