import { TenrecError, WORKSPACE_ROOT } from "@tenrec/protocol";
import { OUTSIDE_WORKSPACE } from "../workspace-path.ts";

/** A glob, and the folder that it is relative to. */
export interface GlobPlace {
  /** A tree path. */
  readonly path: string;
  readonly pattern: string;
  /** It was written as a path is, with dots or from the root of the workspace on, so that no other depth is meant. */
  readonly isPath: boolean;
}

/**
 * What a pattern says that a model wrote as it writes a path: `../*.ts`, `./a`, `/workspace/src/**`. `path` is the tree path
 * of the folder that it looks from. Throws `EACCES` for a pattern that leaves the workspace, and `EINVAL` for one whose `..`
 * stands behind a wildcard.
 */
export function globPlace(path: string, pattern: string): GlobPlace {
  const isWhole = pattern === WORKSPACE_ROOT || pattern.startsWith(`${WORKSPACE_ROOT}/`);
  const given = isWhole ? pattern.slice(WORKSPACE_ROOT.length) : pattern;
  const above = isWhole ? [] : path.split("/").filter(Boolean);
  const parts = given.split("/");
  const isPath = isWhole || parts.some((part) => part === "." || part === "..");
  const kept = walk(parts, above, pattern);
  const below = kept.join("/") || (isPath ? "*" : "");
  const [start, end] = [isPath || given.startsWith("/") ? "/" : "", kept.length > 0 && given.endsWith("/") ? "/" : ""];
  return { path: `/${above.join("/")}`, pattern: start + below + end, isPath };
}

/** Parts without dots; `..` goes back in them, then in the names of the folder `above`. */
function walk(parts: readonly string[], above: string[], pattern: string): string[] {
  const kept: string[] = [];
  for (const part of parts) {
    if (part === "" || part === ".") continue;
    if (part !== "..") {
      kept.push(part);
      continue;
    }
    const left = kept.pop();
    if (left === undefined && above.pop() === undefined)
      throw new TenrecError("EACCES", { path: pattern, reason: OUTSIDE_WORKSPACE });
    if (left !== undefined && /[*?[{]/.test(left))
      throw new TenrecError("EINVAL", { path: pattern, reason: "`..` stands behind a wildcard" });
  }
  return kept;
}

/** The same for a glob that is relative to the root, whatever is searched; a `!` in front is kept. */
export function rootGlob(path: string, glob: string): string {
  const not = glob.startsWith("!") ? "!" : "";
  const place = globPlace(path, glob.slice(not.length));
  if (!place.isPath) return glob;
  const above = place.path === "/" ? "" : place.path.replaceAll(/[\\*?[\]{}]/g, "\\$&");
  return not + above + place.pattern;
}

/** What a search says that took brackets for what they are. */
export const BRACKETS_NOTE: string =
  "nothing fits the brackets as a class of characters, so they are taken as they are written";

/** The glob with its brackets as plain characters; undefined when it has none that are not. */
export function plainBrackets(glob: string): string | undefined {
  const plain = glob.replaceAll(/\\.|[[\]]/gs, (part) => (part.length > 1 ? part : `\\${part}`));
  return plain === glob ? undefined : plain;
}
