import type { Stamp, ToolResultEvent } from "@tenrec/protocol";
import type { SeenFiles } from "@tenrec/tools";
import { isLive } from "./live-events.ts";
import type { SessionState } from "./session-state.ts";

/** The state with what a call let the model see. */
export function withSeen(state: SessionState, event: ToolResultEvent & Stamp): SessionState {
  if (!event.seen) return state;
  const seen = new Map(state.seen);
  for (const [path, hash] of Object.entries(event.seen)) {
    // Reading what is known already says nothing new, unless an undo took the earlier reading back.
    if (lastSeen(state, path) !== hash) seen.set(path, [...(seen.get(path) ?? []), { seq: event.seq, hash }]);
  }
  return { ...state, seen };
}

/** Hash of the content of a file that the model knows, of what no undo took back. */
export function lastSeen({ seen, undos }: SessionState, path: string): string | undefined {
  return seen.get(path)?.findLast(({ seq }) => isLive(undos, seq))?.hash;
}

/** For one call: what was seen before it, and what it adds. */
export interface CallSeen extends SeenFiles {
  /** What the call's result has to carry. */
  readonly added: Readonly<Record<string, string>>;
}

/** `state` gives the session's state as it is then: calls that run together know of each other's results. */
export function callSeen(state: () => SessionState): CallSeen {
  const added: Record<string, string> = {};
  return {
    added,
    last: (path) => (Object.hasOwn(added, path) ? added[path] : lastSeen(state(), path)),
    see: (path, hash) => {
      added[path] = hash;
    },
  };
}
