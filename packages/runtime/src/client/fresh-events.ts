import type { StreamedDelta, TenrecEvent } from "@tenrec/protocol";
import { isDurable } from "@tenrec/protocol";
import { deltaKey, endsDelta } from "../delta-key.ts";

/** What a watcher has seen, over all of its connections. */
export interface FreshEvents {
  /** `seq` of the newest durable event. */
  readonly after: number;
  /** The event, or the part of it that is new; undefined when all of it was seen. */
  take(event: TenrecEvent): TenrecEvent | undefined;
}

/** Lets each durable event through once and each piece of streamed text once, whatever a new connection repeats. */
export function freshEvents(from: number): FreshEvents {
  let after = from;
  /** Up to where each text that is being streamed was seen. */
  const seen = new Map<string, { readonly delta: StreamedDelta; readonly end: number }>();
  return {
    get after() {
      return after;
    },
    take(event) {
      if (isDurable(event)) {
        if (event.seq <= after) return undefined;
        after = event.seq;
        for (const [key, { delta }] of seen) if (endsDelta(event, delta)) seen.delete(key);
        return event;
      }
      const key = deltaKey(event);
      const known = seen.get(key)?.end ?? 0;
      const end = event.offset + event.text.length;
      if (end <= known) return undefined;
      seen.set(key, { delta: event, end });
      const skip = Math.max(0, known - event.offset);
      return { ...event, text: event.text.slice(skip), offset: event.offset + skip };
    },
  };
}
