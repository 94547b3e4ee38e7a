import { type GlobEvent, type GlobQuery, TenrecError } from "@tenrec/protocol";
import { statOf } from "../overlay/read.ts";
import type { OverlayState } from "../overlay/state.ts";
import { parseOrRefuse, planScope } from "./scope.ts";
import { type Found, newCounts, searchRoot, walkScope } from "./walk.ts";

/** See `Search`. */
export async function* globEntries(
  state: OverlayState,
  query: GlobQuery,
  signal?: AbortSignal,
): AsyncGenerator<GlobEvent> {
  signal?.throwIfAborted();
  const rule = parseOrRefuse(query.pattern, query.ignoreCase ?? false);
  if (rule === undefined) throw new TenrecError("EINVAL", { path: query.pattern, reason: "it is an empty pattern" });
  const scope = planScope(query);
  const counts = newCounts(scope);
  const through = query.ignoreCase ? [] : literalFolders(query.pattern);
  for (const path of typeof query.path === "object" ? query.path : [query.path ?? "/"]) {
    const root = searchRoot(state, path);
    const prefix = lengthAbove(root);
    for (const found of walkScope(state, scope, root, counts, through)) {
      if (found instanceof Promise) {
        await found;
        signal?.throwIfAborted();
        continue;
      }
      const { entry, name } = found;
      if (entry.kind === "file") counts.searched++;
      if (!rule.matches(found.path.slice(prefix), name) || (rule.directoryOnly && entry.kind !== "directory")) continue;
      yield { type: "entry", path: found.path, kind: entry.kind, size: statOf(entry).size, mtime: entry.mtime };
    }
  }
  yield { type: "summary", ...counts };
}

const PLAIN = /^[^*?[\]{}!\\]+$/;

/** The folders that everything is in that a pattern matches; none for one that is not bound to a place. */
function literalFolders(pattern: string): string[] {
  // A slash at the end binds nothing: it asks for directories.
  const names = pattern
    .replace(/^\/|\/$/g, "")
    .split("/")
    .slice(0, -1);
  const end = names.findIndex((name) => !PLAIN.test(name) || name === "." || name === "..");
  return end === -1 ? names : names.slice(0, end);
}

/** Characters of a path before what a pattern is about. */
function lengthAbove({ path, name, entry }: Found): number {
  const above = entry.kind === "directory" ? path : path.slice(0, -name.length - 1);
  return above === "/" ? 1 : above.length + 1;
}
