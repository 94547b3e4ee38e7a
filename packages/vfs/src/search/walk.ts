import { type SearchScope, type SearchSummary, TenrecError } from "@tenrec/protocol";
import { childOf, childrenOf } from "../overlay/children.ts";
import { contentOf } from "../overlay/read.ts";
import { resolveExisting } from "../overlay/resolve.ts";
import type { AnyDirectory, OverlayEntry, OverlayState } from "../overlay/state.ts";
import { joinPath } from "../path.ts";
import { type GlobRule, lastMatch, parseGlobRule } from "./glob-rule.ts";
import { IGNORE_FILES, type IgnoreStack, ignoreVerdict, NO_IGNORES, parseIgnoreFile } from "./ignore-rules.ts";

/** A path that a search looks at. */
export interface Found {
  readonly path: string;
  readonly name: string;
  readonly entry: OverlayEntry;
}

/** A summary while it is being counted. */
export type Counts = { -readonly [K in keyof SearchSummary]: SearchSummary[K] };

interface Walk {
  readonly state: OverlayState;
  readonly scope: SearchScope;
  readonly globs: readonly GlobRule[];
  readonly counts: Counts;
}

const decoder = new TextDecoder();

/** Where a search starts. `ENOENT` when there is nothing. */
export function searchRoot(state: OverlayState, scope: SearchScope): Found {
  const { names, entry } = resolveExisting(state, scope.path ?? "/", true);
  return { path: joinPath(names), name: names.at(-1) ?? "", entry };
}

/**
 * Everything in scope below `root`, in order of path, a directory before what is in it; `root` itself when it is a file.
 * Links are given, not followed.
 */
export function* walkScope(state: OverlayState, scope: SearchScope, root: Found, counts: Counts): Generator<Found> {
  if (root.entry.kind !== "directory") {
    yield root;
    return;
  }
  const globs = (scope.globs ?? []).flatMap((glob) => parseGlobRule(glob) ?? []);
  const walk: Walk = { state, scope, globs, counts };
  yield* walkDirectory(walk, root.entry, root.path === "/" ? "/" : `${root.path}/`, ignoresAbove(walk, root.path));
}

function* walkDirectory(walk: Walk, directory: AnyDirectory, path: string, above: IgnoreStack): Generator<Found> {
  const ignores = walk.scope.noIgnore ? above : withIgnoresOf(walk, directory, path, above);
  for (const [name, entry] of childrenOf(walk.state.nodes, directory)) {
    const found = { path: path + name, name, entry };
    if (!isInScope(walk, found, ignores)) continue;
    yield found;
    if (entry.kind === "directory") yield* walkDirectory(walk, entry, `${path}${name}/`, ignores);
  }
}

function isInScope({ scope, globs, counts }: Walk, { path, name, entry }: Found, ignores: IgnoreStack): boolean {
  if (name === ".git") return false;
  const isDirectory = entry.kind === "directory";
  const glob = lastMatch(globs, path.slice(1), name, isDirectory);
  if (glob) return !glob.negated;
  if (!isDirectory && globs.some((rule) => !rule.negated)) return false;
  const verdict = ignoreVerdict(ignores, path, name, isDirectory);
  if (verdict === "ignore") {
    counts.ignored++;
    return false;
  }
  if (verdict === undefined && name.startsWith(".") && !scope.hidden) {
    counts.hidden++;
    return false;
  }
  return true;
}

// The ignore files of the directories above the one that the search starts in; that one's own come with the walk.
function ignoresAbove(walk: Walk, path: string): IgnoreStack {
  let stack: IgnoreStack = NO_IGNORES;
  if (walk.scope.noIgnore || path === "/") return stack;
  let directory: AnyDirectory = walk.state.root;
  let at = "/";
  for (const name of path.slice(1).split("/")) {
    stack = withIgnoresOf(walk, directory, at, stack);
    const next = childOf(walk.state.nodes, directory, name);
    if (next?.kind !== "directory") throw new TenrecError("ENOENT", { path });
    directory = next;
    at += `${name}/`;
  }
  return stack;
}

function withIgnoresOf({ state }: Walk, directory: AnyDirectory, path: string, above: IgnoreStack): IgnoreStack {
  return IGNORE_FILES.map((name, index) => {
    const files = above[index] ?? [];
    const entry = childOf(state.nodes, directory, name);
    if (entry?.kind !== "file") return files;
    const content = contentOf(state, entry, path + name);
    // Nobody writes an ignore file so large that it is in the bucket.
    return content instanceof Uint8Array ? [...files, parseIgnoreFile(path, decoder.decode(content))] : files;
  });
}
