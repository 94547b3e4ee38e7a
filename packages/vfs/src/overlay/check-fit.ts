import { checkNewNames } from "../path.ts";
import { childrenOf } from "./children.ts";
import type { OverlayEntry, OverlayState } from "./state.ts";

/** Throws `EINVAL` when an entry, or what is in it, would get too long or too deep a path at this place. */
export function checkFit(state: OverlayState, entry: OverlayEntry, names: readonly string[]): void {
  checkNewNames(names);
  if (entry.kind !== "directory") return;
  for (const [name, child] of childrenOf(state.nodes, entry)) checkFit(state, child, [...names, name]);
}
