import type { DurableEvent } from "@tenrec/protocol";
import { NATIVE_ENGINE } from "./native-engine.ts";
import type { UndoMark } from "./session-state.ts";

/** Whether an event counts, after these undos, the oldest first. An undo counts itself, unless a later one took it back. */
export function isLive(undos: readonly UndoMark[], seq: number): boolean {
  let end = Number.POSITIVE_INFINITY;
  for (const undo of undos.toReversed()) {
    if (undo.seq > end) continue;
    if (seq >= undo.seq) return true;
    end = undo.toSeq;
    if (seq > end) return false;
  }
  return true;
}

/**
 * The events that count, in order: all but those that an undo took back, and the prompts that it dropped. Takes a session's
 * events from the first one on.
 */
export function liveEvents(events: readonly DurableEvent[]): readonly DurableEvent[] {
  const undos = events.filter((event) => event.type === "undo");
  if (undos.length === 0) return events;
  const live = events.filter(({ seq }) => isLive(undos, seq));
  const dropped = droppedPrompts(live);
  return live.filter((event) => event.type !== "input" || !dropped.has(event.operationId));
}

/** Prompts that no turn had begun with, and no model call had seen, when an undo came. */
function droppedPrompts(live: readonly DurableEvent[]): ReadonlySet<string> {
  const queued = new Set<string>();
  const steering = new Set<string>();
  const dropped = new Set<string>();
  let canJoin = false;
  for (const event of live) {
    switch (event.type) {
      case "input":
        (event.whenBusy === "steer" && canJoin ? steering : queued).add(event.operationId);
        break;
      case "turn-start":
        for (const id of event.operationIds) queued.delete(id);
        canJoin = event.engine === NATIVE_ENGINE;
        break;
      case "step-start":
        steering.clear();
        break;
      case "turn-end":
        steering.clear();
        canJoin = false;
        break;
      case "undo":
        for (const id of [...queued, ...steering]) dropped.add(id);
        queued.clear();
        steering.clear();
        canJoin = false;
        break;
      default:
        break;
    }
  }
  return dropped;
}

/** Of events that count: the turns that an undo cut after one of their calls. They have no end. */
export function cutTurns(live: readonly DurableEvent[]): ReadonlySet<number> {
  const cut = new Set<number>();
  let open: number | undefined;
  for (const event of live) {
    if (event.type === "turn-start") open = event.turn;
    else if (event.type === "turn-end") open = undefined;
    else if (event.type === "undo" && open !== undefined) cut.add(open);
  }
  return cut;
}
