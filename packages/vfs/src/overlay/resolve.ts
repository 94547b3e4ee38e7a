import { TenrecError } from "@tenrec/protocol";
import { joinPath, splitPath } from "../path.ts";
import { childOf } from "./children.ts";
import type { AnyDirectory, OverlayEntry, OverlayState } from "./state.ts";

const MAX_LINKS = 40;

/** Where a path leads. */
export interface Place {
  /** Names from the root without a link in the way. */
  readonly names: readonly string[];
  /** Absent when there is nothing; the parents may be missing too. */
  readonly entry: OverlayEntry | undefined;
}

/**
 * Follows a path through links, the last name only with `follow`. What is missing does not throw: its names are kept as
 * they are. `ENOTDIR` when a file is in the way, `ELOOP` after 40 links.
 */
export function resolve(state: OverlayState, path: string, follow: boolean): Place {
  // Names still to walk, the next one last.
  const pending = splitPath(path).reverse();
  const names: string[] = [];
  const trail: AnyDirectory[] = [state.root];
  let links = 0;
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === "..") {
      names.pop();
      if (trail.length > 1) trail.pop();
      continue;
    }
    const entry = childOf(state.nodes, trail.at(-1) ?? state.root, name);
    if (entry === undefined) return { names: [...names, name, ...missingRest(path, pending)], entry: undefined };
    if (entry.kind === "symlink" && (follow || pending.length > 0)) {
      if (++links > MAX_LINKS) throw new TenrecError("ELOOP", { path });
      if (entry.target.startsWith("/")) {
        names.length = 0;
        trail.length = 1;
      }
      pending.push(...linkNames(entry.target).reverse());
      continue;
    }
    names.push(name);
    if (pending.length === 0) return { names, entry };
    if (entry.kind !== "directory") throw new TenrecError("ENOTDIR", { path: joinPath(names) });
    trail.push(entry);
  }
  return { names, entry: trail.at(-1) };
}

/** As `resolve`, and `ENOENT` when there is nothing. */
export function resolveExisting(state: OverlayState, path: string, follow: boolean): Place & { entry: OverlayEntry } {
  const { names, entry } = resolve(state, path, follow);
  if (entry === undefined) throw new TenrecError("ENOENT", { path });
  return { names, entry };
}

// `..` in a link's target is meant from where the link is, so it is walked, not resolved as text.
function linkNames(target: string): string[] {
  return target.split("/").filter((part) => part !== "" && part !== ".");
}

function missingRest(path: string, pending: readonly string[]): string[] {
  if (pending.includes("..")) throw new TenrecError("ENOENT", { path });
  return pending.toReversed();
}
