import type { Difference } from "./changes.ts";
import { contentHash, type Entry } from "./entry.ts";
import { compareText } from "./path.ts";
import { type LineSpans, lineSpans, similarity } from "./similarity.ts";
import { nextTick } from "./next-tick.ts";

/** A file or a link that was removed at one path and created at another. */
export interface Rename {
  readonly from: Difference;
  readonly to: Difference;
  /** In percent; 100 for the same content. */
  readonly similarity: number;
}

/** As `git diff -M` has it. */
const MIN_SIMILARITY = 0.5;
/** Beyond these, only the same content is found: pairs to compare, and bytes to read. */
const MAX_PAIRS = 40_000;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_FILE_BYTES = 1024 * 1024;
const PAIRS_BETWEEN_YIELDS = 500;

type ReadContent = (path: string, entry: Entry) => Uint8Array | Promise<Uint8Array>;
type Candidate = Difference & { readonly entry: Entry };

/**
 * Pairs of what was removed and what was created: the same content first, then the most alike by their lines. Each path is
 * in one pair at most. A file is never paired with a link.
 */
export async function findRenames(
  differences: readonly Difference[],
  read: ReadContent,
  signal: AbortSignal | undefined,
): Promise<Rename[]> {
  const gone = differences.flatMap((one) => (one.before && !one.after ? [{ ...one, entry: one.before }] : []));
  const come = differences.flatMap((one) => (one.after && !one.before ? [{ ...one, entry: one.after }] : []));
  const exact = sameContent(gone.filter(isLeaf), come.filter(isLeaf));
  const paired = new Set(exact.flatMap(({ from, to }) => [from.path, to.path]));
  const isLeft = (one: Candidate): boolean => one.entry.kind === "file" && !paired.has(one.path);
  return [...exact, ...(await similarContent(gone.filter(isLeft), come.filter(isLeft), read, signal))];
}

function isLeaf({ entry }: Candidate): boolean {
  return entry.kind !== "directory";
}

function sameContent(gone: readonly Candidate[], come: readonly Candidate[]): Rename[] {
  // Last in, first out, so in reverse.
  const byContent = Map.groupBy(gone.toReversed(), contentKey);
  const byName = Map.groupBy(gone.toReversed(), (one) => `${contentKey(one)} ${baseName(one.path)}`);
  const taken = new Set<Candidate>();
  const next = (sources: Candidate[] | undefined): Candidate | undefined => {
    let one = sources?.pop();
    while (one && taken.has(one)) one = sources?.pop();
    return one;
  };
  return come.flatMap((to) => {
    const key = contentKey(to);
    const from = next(byName.get(`${key} ${baseName(to.path)}`)) ?? next(byContent.get(key));
    if (!from) return [];
    taken.add(from);
    return [{ from, to, similarity: 100 }];
  });
}

function contentKey({ entry }: Candidate): string {
  return `${entry.kind} ${contentHash(entry) ?? ""}`;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

async function similarContent(
  gone: readonly Candidate[],
  come: readonly Candidate[],
  read: ReadContent,
  signal: AbortSignal | undefined,
): Promise<Rename[]> {
  const sources = gone.filter(isComparable);
  const targets = come.filter(isComparable);
  const bytes = [...sources, ...targets].reduce((sum, one) => sum + sizeOf(one), 0);
  if (sources.length * targets.length > MAX_PAIRS || bytes > MAX_BYTES) return [];
  const spans = new Map<Candidate, LineSpans>();
  for (const one of sources.length && targets.length ? [...sources, ...targets] : []) {
    signal?.throwIfAborted();
    spans.set(one, lineSpans(await read(one.path, one.entry)));
  }
  const pairs: Rename[] = [];
  let compared = 0;
  for (const to of targets) {
    for (const from of sources) {
      const score = scoreOf(from, to, spans);
      if (score >= MIN_SIMILARITY) pairs.push({ from, to, similarity: Math.floor(score * 100) });
      if (++compared % PAIRS_BETWEEN_YIELDS > 0) continue;
      signal?.throwIfAborted();
      await nextTick();
    }
  }
  return best(pairs);
}

function isComparable(one: Candidate): boolean {
  return sizeOf(one) > 0 && sizeOf(one) <= MAX_FILE_BYTES;
}

function sizeOf({ entry }: Candidate): number {
  return entry.kind === "file" ? entry.size : 0;
}

function scoreOf(from: Candidate, to: Candidate, spans: ReadonlyMap<Candidate, LineSpans>): number {
  const [a, b] = [spans.get(from), spans.get(to)];
  const [smaller, larger] = [sizeOf(from), sizeOf(to)].sort((x, y) => x - y) as [number, number];
  // However alike they are, this is the most that they can share.
  if (!a || !b || smaller / larger < MIN_SIMILARITY) return 0;
  return similarity(a, b, larger);
}

/** The most alike first; of equal ones those with the same name, then by path. */
function best(pairs: readonly Rename[]): Rename[] {
  const isSameName = ({ from, to }: Rename): number => Number(baseName(from.path) === baseName(to.path));
  const sorted = pairs.toSorted(
    (a, b) =>
      b.similarity - a.similarity ||
      isSameName(b) - isSameName(a) ||
      compareText(a.to.path, b.to.path) ||
      compareText(a.from.path, b.from.path),
  );
  const taken = new Set<string>();
  return sorted.filter(({ from, to }) => {
    if (taken.has(from.path) || taken.has(to.path)) return false;
    taken.add(from.path).add(to.path);
    return true;
  });
}
