import { Buffer } from "node:buffer";
import { setImmediate } from "node:timers";
import {
  type GlobEvent,
  type GlobQuery,
  type GrepEvent,
  type GrepQuery,
  type Search,
  type SearchScope,
  TenrecError,
} from "@tenrec/protocol";
import { readSmallBlobs } from "../blobs.ts";
import { type Overlay, overlayState } from "../overlay/overlay.ts";
import { contentOf, statOf } from "../overlay/read.ts";
import { type AnyFile, isFresh, type OverlayState } from "../overlay/state.ts";
import { parseGlobRule } from "./glob-rule.ts";
import { grepText, type GrepLimits } from "./grep-text.ts";
import { compileQuery, type Matcher } from "./matcher.ts";
import { type Counts, searchRoot, walkScope } from "./walk.ts";

const BINARY_BYTES = 8192;
/** Small files are read together, so that a search of many costs few statements. */
const BATCH_FILES = 64;
const BATCH_FILE_BYTES = 64 * 1024;
const BATCH_BYTES = 1024 * 1024;

/** A turn of the event loop takes a millisecond in workerd, so there is one for some ten milliseconds of work. */
const COST_BETWEEN_YIELDS = 4 * 1024 * 1024;
const FILE_COST = 4096;

interface Candidate {
  readonly path: string;
  readonly file: AnyFile;
}

/** Search over an overlay, with what was written in it. Keeps nothing between two searches. */
export function createSearch(overlay: Overlay): Search {
  const state = overlayState(overlay);
  return {
    grep: (query, signal) => grep(state, query, signal),
    glob: (query, signal) => glob(state, query, signal),
  };
}

async function* grep(state: OverlayState, query: GrepQuery, signal?: AbortSignal): AsyncGenerator<GrepEvent> {
  signal?.throwIfAborted();
  const matcher = compileQuery(query);
  const limits = {
    before: query.before ?? 0,
    after: query.after ?? 0,
    maxCount: query.maxCount ?? Number.POSITIVE_INFINITY,
  };
  const counts = newCounts();
  let unyielded = 0;
  for (const batch of batches(candidates(state, query, counts))) {
    const contents = readSmallBlobs(
      state.sql,
      batch.flatMap(({ file }) => (isInline(file) ? [] : storedHash(file))),
    );
    for (const { path, file } of batch) {
      const content = contents.get(storedHash(file)[0] ?? "") ?? contentOf(state, file, path);
      const bytes = content instanceof Uint8Array ? content : await content;
      const event = grepFile(path, bytes, matcher, limits, counts);
      if (event) yield event;
    }
    signal?.throwIfAborted();
    unyielded += batch.reduce((sum, { file }) => sum + file.size, batch.length * FILE_COST);
    if (unyielded < COST_BETWEEN_YIELDS) continue;
    unyielded = 0;
    await nextTick();
    signal?.throwIfAborted();
  }
  yield { type: "summary", ...counts };
}

function grepFile(
  path: string,
  bytes: Uint8Array,
  matcher: Matcher,
  limits: GrepLimits,
  counts: Counts,
): GrepEvent | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.subarray(0, BINARY_BYTES).includes(0)) {
    counts.binary++;
    return undefined;
  }
  counts.searched++;
  // Most files end here, before they are decoded.
  if (matcher.literal !== undefined && !matcher.foldCase && !buffer.includes(matcher.literal)) return undefined;
  const text = buffer.toString("utf8");
  const { lines, matches } = grepText(text.startsWith("\ufeff") ? text.slice(1) : text, matcher, limits);
  return matches > 0 ? { type: "file", path, lines, matches } : undefined;
}

async function* glob(state: OverlayState, query: GlobQuery, signal?: AbortSignal): AsyncGenerator<GlobEvent> {
  signal?.throwIfAborted();
  const rule = parseGlobRule(query.pattern);
  if (rule === undefined) throw new TenrecError("EINVAL", { path: query.pattern, reason: "it is an empty pattern" });
  const counts = newCounts();
  const root = searchRoot(state, query);
  const above = root.entry.kind === "directory" ? root.path : root.path.slice(0, -root.name.length - 1);
  const prefix = above === "/" ? 1 : above.length + 1;
  let looked = 0;
  for (const { path, name, entry } of walkScope(state, query, root, counts)) {
    if (entry.kind === "file") counts.searched++;
    if (rule.matches(path.slice(prefix), name) && (!rule.directoryOnly || entry.kind === "directory")) {
      yield { type: "entry", path, kind: entry.kind, size: statOf(entry).size, mtime: entry.mtime };
    }
    if (++looked % 4096 === 0) {
      await nextTick();
      signal?.throwIfAborted();
    }
  }
  yield { type: "summary", ...counts };
}

function* candidates(state: OverlayState, scope: SearchScope, counts: Counts): Generator<Candidate> {
  for (const { path, entry } of walkScope(state, scope, searchRoot(state, scope), counts)) {
    if (entry.kind === "file") yield { path, file: entry };
  }
}

function* batches(files: Iterable<Candidate>): Generator<Candidate[]> {
  let batch: Candidate[] = [];
  let bytes = 0;
  for (const candidate of files) {
    if (batch.length === BATCH_FILES || bytes + candidate.file.size > BATCH_BYTES) {
      if (batch.length > 0) yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(candidate);
    bytes += candidate.file.size;
  }
  if (batch.length > 0) yield batch;
}

/** True for a file that is not read with others: it is in memory, or large. */
function isInline(file: AnyFile): boolean {
  return isFresh(file) || file.size > BATCH_FILE_BYTES;
}

function storedHash(file: AnyFile): string[] {
  return isFresh(file) ? [] : [file.hash];
}

function newCounts(): Counts {
  return { searched: 0, ignored: 0, hidden: 0, binary: 0 };
}

function nextTick(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
