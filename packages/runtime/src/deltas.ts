import type { DeltaEvent, DurableEvent, StreamedDelta } from "@tenrec/protocol";
import { deltaKey, endsDelta } from "./delta-key.ts";
import type { RedactedStream, Redactor } from "./redaction/redactor.ts";

type Listener = (delta: StreamedDelta) => void;

/** How much of one text is kept for watchers that come late; they miss what was before it. In UTF-16 units. */
const MAX_KEPT = 200_000;

/** A text that is being streamed: as it may be shown so far, and what is not told yet. */
interface Block {
  readonly shown: StreamedDelta;
  readonly stream: RedactedStream;
}

/**
 * What is being streamed right now, in memory only. A watcher that comes late gets the text so far as one delta for each
 * block, then the rest as it comes; offsets tell it what it has seen before. What may be the beginning of a secret is
 * held back until it is one or is none.
 */
export class Deltas {
  readonly #redactor: Redactor;
  readonly #open = new Map<string, Map<string, Block>>();
  readonly #listeners = new Set<Listener>();

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  add(session: string, delta: DeltaEvent): void {
    const blocks = this.#open.get(session) ?? new Map<string, Block>();
    this.#open.set(session, blocks);
    const key = deltaKey(delta);
    const block = blocks.get(key) ?? {
      shown: { ...delta, text: "", session, offset: 0 },
      stream: this.#redactor.stream(),
    };
    blocks.set(key, this.#show(block, block.stream.push(delta.text)));
  }

  #show({ shown, stream }: Block, added: string): Block {
    if (added === "") return { shown, stream };
    const offset = shown.offset + shown.text.length;
    for (const listener of this.#listeners) listener({ ...shown, text: added, offset });
    const text = shown.text + added;
    const cut = Math.max(0, text.length - MAX_KEPT);
    return { shown: { ...shown, text: text.slice(cut), offset: shown.offset + cut }, stream };
  }

  /** The text so far of every block that has not ended. */
  open(session: string): StreamedDelta[] {
    return [...(this.#open.get(session)?.values() ?? [])].flatMap(({ shown }) => (shown.text === "" ? [] : [shown]));
  }

  /** Tells the rest of what durable events have replaced, and forgets it. */
  settle(events: readonly DurableEvent[]): void {
    for (const event of events) {
      const blocks = this.#open.get(event.session);
      if (!blocks) continue;
      for (const [key, block] of blocks) {
        if (!endsDelta(event, block.shown)) continue;
        this.#show(block, block.stream.end());
        blocks.delete(key);
      }
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
