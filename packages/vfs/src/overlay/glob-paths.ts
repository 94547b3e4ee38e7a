import { Minimatch } from "minimatch";
import { compareText, joinPath, splitPath } from "../path.ts";
import { childrenOf } from "./children.ts";
import { entryAt } from "./edit.ts";
import type { OverlayEntry, OverlayState } from "./state.ts";

const MAGIC = /[*?[\]{}()!+@\\]/;

/** Paths of files, directories and links that match, sorted. Links are not followed; names with a dot match as others. */
export function globPaths(state: OverlayState, pattern: string): string[] {
  const absolute = pattern.startsWith("/") ? pattern : `/${pattern}`;
  const matcher = new Minimatch(absolute, { dot: true, nocomment: true, nonegate: true });
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

function literalPrefix(pattern: string): string[] {
  const parts = pattern.split("/");
  const magic = parts.findIndex((part) => MAGIC.test(part));
  return splitPath(parts.slice(0, magic === -1 ? parts.length : magic).join("/") || "/");
}
