import { TenrecError } from "@tenrec/protocol";
import { Minimatch } from "minimatch";
import { compareText, joinPath, splitPath } from "../path.ts";
import { childrenOf } from "./children.ts";
import { entryAt } from "./edit.ts";
import type { OverlayEntry, OverlayState } from "./state.ts";

const MAGIC = /[*?[\]{}()!+@\\]/;

/**
 * Paths of files, directories and links that match, sorted. Links are not followed; names with a dot match as others.
 * `EINVAL` for a pattern that is too long.
 */
export function globPaths(state: OverlayState, pattern: string): string[] {
  if (typeof pattern !== "string") throw invalid(pattern, "it is no text");
  const absolute = pattern.startsWith("/") ? pattern : `/${pattern}`;
  const matcher = createMatcher(absolute);
  const found: string[] = [];
  const walk = (path: string, entry: OverlayEntry): void => {
    if (path !== "/" && matcher.match(path)) found.push(path);
    if (entry.kind !== "directory" || !matcher.match(path, true)) return;
    const prefix = path === "/" ? "/" : `${path}/`;
    for (const [name, child] of childrenOf(state.nodes, entry)) walk(prefix + name, child);
  };
  const start = literalPrefix(absolute);
  const entry = entryAt(state, start);
  if (entry) walk(joinPath(start), entry);
  return found.sort(compareText);
}

function createMatcher(pattern: string): Minimatch {
  try {
    return new Minimatch(pattern, { dot: true, nocomment: true, nonegate: true });
  } catch (error) {
    throw invalid(pattern, error instanceof Error ? error.message : String(error));
  }
}

function invalid(pattern: string, reason: string): TenrecError<"EINVAL"> {
  return new TenrecError("EINVAL", { path: String(pattern).slice(0, 200), reason });
}

function literalPrefix(pattern: string): string[] {
  const parts = pattern.split("/");
  const magic = parts.findIndex((part) => MAGIC.test(part));
  return splitPath(parts.slice(0, magic === -1 ? parts.length : magic).join("/") || "/");
}
