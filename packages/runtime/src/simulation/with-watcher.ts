import type { DurableEvent, StreamedDelta, TenrecEvent, WatchFrame } from "@tenrec/protocol";
import { isDurable } from "@tenrec/protocol";
import { freshEvents } from "../client/fresh-events.ts";
import { deltaKey, endsDelta } from "../delta-key.ts";

interface Block {
  readonly delta: StreamedDelta;
  readonly text: string;
}

/** A client that watches one session over any number of connections, and notes what it must not see. */
export class Watcher {
  readonly session: string;
  readonly seen: DurableEvent[] = [];
  readonly violations: string[] = [];
  readonly #fresh = freshEvents(0);
  readonly #blocks = new Map<string, Block>();
  /** It has heard the step from its first word on. */
  #isWhole = false;
  /** Up to here, events are history, and what was streamed between them is gone. */
  #replayed = 0;

  constructor(session: string) {
    this.session = session;
  }

  get after(): number {
    return this.#fresh.after;
  }

  receive(message: string): void {
    for (const frame of JSON.parse(message) as WatchFrame[]) {
      if (frame.type === "snapshot") this.#replayed = frame.snapshot.session.lastSeq;
      const event = frame.type === "event" ? this.#fresh.take(frame.event) : undefined;
      if (event) this.#take(event);
    }
  }

  disconnected(): void {
    this.#isWhole = false;
  }

  #take(event: TenrecEvent): void {
    if (isDurable(event)) this.#durable(event);
    else this.#delta(event);
  }

  #durable(event: DurableEvent): void {
    const last = this.seen.at(-1)?.seq ?? 0;
    if (event.seq !== last + 1) this.violations.push(`I8: a watcher saw event ${event.seq} after ${last}`);
    this.seen.push(event);
    if (event.type === "step-end") {
      const said = event.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
      const heard = [...this.#blocks.values()]
        .flatMap(({ delta, text }) => (delta.type === "text-delta" ? [text] : []))
        .join("");
      const isRight = this.#isWhole && event.seq > this.#replayed ? heard === said : said.startsWith(heard);
      if (!isRight) this.violations.push(`I8: a watcher heard "${heard}" of "${said}"`);
    }
    if (event.type === "step-start") this.#isWhole = true;
    for (const [key, { delta }] of this.#blocks) if (endsDelta(event, delta)) this.#blocks.delete(key);
  }

  #delta(delta: StreamedDelta): void {
    const key = deltaKey(delta);
    const known = this.#blocks.get(key)?.text ?? "";
    if (delta.offset !== known.length) {
      this.violations.push(`I8: ${key} goes on at ${delta.offset} where ${known.length} was heard`);
    }
    this.#blocks.set(key, { delta, text: known + delta.text });
  }
}
