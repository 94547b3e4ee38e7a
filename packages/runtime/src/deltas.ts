import type { DeltaEvent, DurableEvent, StreamedDelta } from "@tenrec/protocol";
import { deltaKey, endsDelta } from "./delta-key.ts";

type Listener = (delta: StreamedDelta) => void;

/** How much of one text is kept for watchers that come late; they miss what was before it. In UTF-16 units. */
const MAX_KEPT = 200_000;

/**
 * What is being streamed right now, in memory only. A watcher that comes late gets the text so far as one delta for each
 * block, then the rest as it comes; offsets tell it what it has seen before.
 */
export class Deltas {
  readonly #open = new Map<string, Map<string, StreamedDelta>>();
  readonly #listeners = new Set<Listener>();

  add(session: string, delta: DeltaEvent): void {
    const blocks = this.#open.get(session) ?? new Map<string, StreamedDelta>();
    this.#open.set(session, blocks);
    const key = deltaKey(delta);
    const known = blocks.get(key);
    const offset = known ? known.offset + known.text.length : 0;
    const text = (known?.text ?? "") + delta.text;
    const cut = Math.max(0, text.length - MAX_KEPT);
    blocks.set(key, { ...delta, session, text: text.slice(cut), offset: (known?.offset ?? 0) + cut });
    for (const listener of this.#listeners) listener({ ...delta, session, offset });
  }

  /** The text so far of every block that has not ended. */
  open(session: string): StreamedDelta[] {
    return [...(this.#open.get(session)?.values() ?? [])];
  }

  /** Forgets what durable events have replaced. */
  settle(events: readonly DurableEvent[]): void {
    for (const event of events) {
      const blocks = this.#open.get(event.session);
      if (!blocks) continue;
      for (const [key, delta] of blocks) if (endsDelta(event, delta)) blocks.delete(key);
      if (blocks.size === 0) this.#open.delete(event.session);
    }
  }

  /** Forgets what is streamed of a session. */
  forget(session: string): void {
    this.#open.delete(session);
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}
