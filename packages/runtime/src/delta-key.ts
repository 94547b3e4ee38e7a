import type { DeltaEvent, DurableEvent } from "@tenrec/protocol";

/** Two deltas with the same key continue one text. */
export function deltaKey(delta: DeltaEvent): string {
  if ("id" in delta) return `${delta.type} ${delta.id}`;
  return `${delta.type} ${delta.toolCallId}${"stream" in delta ? ` ${delta.stream}` : ""}`;
}

/** Whether a durable event ends the text of a delta: it has the whole of it, or it begins anew. */
export function endsDelta(event: DurableEvent, delta: DeltaEvent): boolean {
  if (delta.type === "tool-output-delta") {
    return event.type === "turn-end" || (event.type === "tool-result" && event.toolCallId === delta.toolCallId);
  }
  return event.type === "step-start" || event.type === "step-end" || event.type === "turn-end";
}
