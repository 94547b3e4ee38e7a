import type { Search } from "@tenrec/protocol";
import { type Overlay, overlayState } from "../overlay/overlay.ts";
import { globEntries } from "./glob-entries.ts";
import { grep, grepContent } from "./grep.ts";

/** Search over an overlay, with what was written in it. Keeps nothing between two searches. */
export function createSearch(overlay: Overlay): Search {
  const state = overlayState(overlay);
  return {
    grep: (query, signal) => grep(state, query, signal),
    glob: (query, signal) => globEntries(state, query, signal),
    grepContent,
  };
}
