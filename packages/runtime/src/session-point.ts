import type { DurableEvent, SessionPoint } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";
import { liveEvents } from "./live-events.ts";
import { setsTree } from "./own-changes.ts";

/** A moment of a session, found in its journal. */
export interface FoundPoint {
  /** The newest event that counts at that moment; 0 when none does. */
  readonly seq: number;
  /** Root hash of the tree of that moment; undefined before the first turn. */
  readonly tree: string | undefined;
}

/** What is wrong with a point is told in its own words. */
function describe(point: SessionPoint): string {
  if ("seq" in point) return `quiet moment after event ${point.seq}`;
  return point.toolCallId === undefined ? `turn ${point.turn}` : `result of ${point.toolCallId} in turn ${point.turn}`;
}

/**
 * Looks a point up among all events of a session. `point-not-found` for one that never was or that does not count any more,
 * and for a `seq` at which a turn ran: half a step is nothing to go on from.
 */
export function findPoint(session: string, events: readonly DurableEvent[], point: SessionPoint): FoundPoint {
  const found = "seq" in point ? quietPoint(events, point.seq) : turnPoint(liveEvents(events), point);
  if (!found) throw new TenrecError("point-not-found", { session, point: describe(point) });
  return found;
}

function turnPoint(
  live: readonly DurableEvent[],
  { turn, toolCallId }: Exclude<SessionPoint, { readonly seq: number }>,
): FoundPoint | undefined {
  for (const event of live.toReversed()) {
    if (event.type === "turn-start" && event.turn === turn && toolCallId === undefined) {
      return { seq: event.seq - 1, tree: event.tree };
    }
    if (event.type === "tool-result" && event.turn === turn && event.toolCallId === toolCallId) {
      return { seq: event.seq, tree: event.tree };
    }
  }
  return undefined;
}

function quietPoint(events: readonly DurableEvent[], seq: number): FoundPoint | undefined {
  if (seq > (events.at(-1)?.seq ?? 0)) return undefined;
  const live = liveEvents(events.filter((event) => event.seq <= seq));
  const edge = live.findLast(({ type }) => type === "turn-start" || type === "turn-end" || type === "undo");
  if (edge?.type === "turn-start") return undefined;
  return { seq, tree: live.findLast(setsTree)?.tree };
}
