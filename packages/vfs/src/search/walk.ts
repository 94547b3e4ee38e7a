import { type LeftOut, type SearchSummary, TenrecError } from "@tenrec/protocol";
import { childOf, childrenOf } from "../overlay/children.ts";
import { type Place, resolve, resolveExisting } from "../overlay/resolve.ts";
import type { AnyDirectory, OverlayEntry, OverlayState } from "../overlay/state.ts";
import { joinPath } from "../path.ts";
import { nextTick } from "../next-tick.ts";
import { type IgnoreStack, ignoreRule } from "./glob/ignore-rules.ts";
import { ignoresAbove, withIgnoresOf } from "./ignore-stack.ts";
import type { ScopePlan } from "./scope.ts";

/** A path that a search looks at. */
export interface Found {
  readonly path: string;
  readonly name: string;
  readonly entry: OverlayEntry;
  /** It is a `path` of the query itself. */
  readonly named: boolean;
}

/** A summary while it is being counted. */
export type Counts = { -readonly [K in keyof SearchSummary]: SearchSummary[K] } & { leftOut?: LeftOut[] };

/** With `explain` the summary says what was left out. */
export function newCounts({ explain }: Pick<ScopePlan, "explain">): Counts {
  const counts = { searched: 0, ignored: 0, hidden: 0, binary: 0, large: 0, longLines: 0 };
  return explain ? { ...counts, leftOut: [] } : counts;
}

interface Walk {
  readonly state: OverlayState;
  readonly scope: ScopePlan;
  readonly counts: Counts;
  /** Names that are alone looked at below the root, one for each level. */
  readonly through: readonly string[];
}

/** A directory that is being walked. */
interface Level {
  readonly children: readonly (readonly [string, OverlayEntry])[];
  next: number;
  /** With a final `/`. */
  readonly path: string;
  readonly ignores: IgnoreStack;
  /** What it takes to look at one of them, where 1 is an entry without any rule. */
  readonly cost: number;
  /** Where it really is, when it was entered through a link. */
  readonly real?: string;
}

const ENTRIES_BETWEEN_TICKS = 4096;
const RULES_PER_ENTRY = 4;
const MAX_LEFT_OUT = 100;

/** Where a search starts. `ENOENT` when there is nothing. */
export function searchRoot(state: OverlayState, path: string): Found {
  const { names, entry } = resolveExisting(state, path, true);
  return { path: joinPath(names), name: names.at(-1) ?? "", entry, named: true };
}

/**
 * Everything in scope below `root`, in order of path, a directory before what is in it; `root` itself when it is a file.
 * Links are given, and with `follow` what they lead to. A promise among it has to be waited for before it goes on. With
 * `through`, only what is at this path below the root is looked at, and what is in it.
 */
export function* walkScope(
  state: OverlayState,
  scope: ScopePlan,
  root: Found,
  counts: Counts,
  through: readonly string[] = [],
): Generator<Found | Promise<unknown>> {
  if (root.entry.kind !== "directory") {
    yield root;
    return;
  }
  const walk: Walk = { state, scope, counts, through };
  const above = yield* ignoresAbove(state, scope, root.path);
  const levels: Level[] = [];
  levels.push(yield* enter(walk, levels, root.entry, root.path === "/" ? "/" : `${root.path}/`, above));
  let looked = 0;
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const child = level.children[level.next++];
    if (!child) {
      levels.pop();
      continue;
    }
    if ((looked += level.cost) >= ENTRIES_BETWEEN_TICKS) {
      looked = 0;
      yield nextTick();
    }
    const [name] = child;
    const path = level.path + name;
    const place = scope.follow && child[1].kind === "symlink" ? follow(walk, path, levels) : undefined;
    const found: Found = { path, name, entry: place?.entry ?? child[1], named: false };
    if (!isInScope(walk, found, level.ignores)) continue;
    yield found;
    if (found.entry.kind !== "directory" || levels.length >= scope.maxDepth) continue;
    levels.push(yield* enter(walk, levels, found.entry, `${path}/`, level.ignores, place));
  }
}

function* enter(
  { state, scope, through }: Walk,
  levels: readonly Level[],
  directory: AnyDirectory,
  path: string,
  above: IgnoreStack,
  place?: Place,
): Generator<Promise<unknown>, Level> {
  const ignores = yield* withIgnoresOf(state, scope, directory, path, above);
  const real = place ? { real: `${joinPath(place.names)}/` } : {};
  const only = through[levels.length];
  const children = only === undefined ? childrenOf(state.nodes, directory) : oneChild(state, directory, only);
  const rules = ignores.flat().reduce((sum, one) => sum + one.rules.size, scope.globs.size);
  const cost = 1 + rules / RULES_PER_ENTRY;
  return { children, next: 0, path, ignores, cost, ...real };
}

function oneChild(state: OverlayState, directory: AnyDirectory, name: string): (readonly [string, OverlayEntry])[] {
  const entry = childOf(state.nodes, directory, name);
  return entry ? [[name, entry]] : [];
}

/** What a link leads to; `undefined` for one that leads nowhere, or to a directory that the walk is in. */
function follow({ state }: Walk, path: string, levels: readonly Level[]): Place | undefined {
  let place: Place;
  try {
    place = resolve(state, path, true);
  } catch (error) {
    if (error instanceof TenrecError) return undefined;
    throw error;
  }
  const real = place.names.length > 0 ? `${joinPath(place.names)}/` : "/";
  const isAbove = (level: Level): boolean => (level.real ?? level.path).startsWith(real);
  return place.entry?.kind === "directory" && levels.some(isAbove) ? undefined : place;
}

function isInScope({ scope, counts }: Walk, { path, name, entry }: Found, ignores: IgnoreStack): boolean {
  if (name === ".git") return false;
  const isDirectory = entry.kind === "directory";
  if (scope.globs.size > 0) {
    const glob = scope.globs.lastMatch(path.slice(1), name, isDirectory);
    if (glob) return !glob.negated && fits(scope, entry, counts);
    if (!isDirectory && scope.globsInclude) return false;
  }
  const verdict = ignoreRule(ignores, path, name, isDirectory);
  if (verdict?.says === "ignore")
    return leaveOut(counts, { path, why: "ignored", rule: verdict.rule, file: verdict.file });
  if (!isDirectory && !hasType(scope, name)) return false;
  if (verdict === undefined && isHidden(scope, name, isDirectory)) return leaveOut(counts, { path, why: "hidden" });
  return fits(scope, entry, counts);
}

/** A file of a type that was asked for is shown even when it is hidden. */
function isHidden({ hidden, isType }: ScopePlan, name: string, isDirectory: boolean): boolean {
  return !hidden && name.startsWith(".") && (isDirectory || isType === undefined);
}

function leaveOut(counts: Counts, one: LeftOut): false {
  counts[one.why]++;
  const { leftOut } = counts;
  if (leftOut && leftOut.length < MAX_LEFT_OUT) leftOut.push(one);
  return false;
}

function hasType({ isType, isOtherType }: ScopePlan, name: string): boolean {
  return !isOtherType?.(name) && (isType?.(name) ?? true);
}

function fits({ maxFileSize }: ScopePlan, entry: OverlayEntry, counts: Counts): boolean {
  if (entry.kind !== "file" || entry.size <= maxFileSize) return true;
  counts.large++;
  return false;
}
