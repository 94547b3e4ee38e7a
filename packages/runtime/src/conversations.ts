import type { DurableEvent } from "@tenrec/protocol";
import type { ModelMessage } from "ai";
import type { Journal } from "./journal.ts";
import { liveEvents } from "./live-events.ts";
import { MessageFold } from "./message-fold.ts";
import type { MessageOptions } from "./render-messages.ts";

/** What a model call needs to know of a session's past. */
export interface Conversation {
  /** What `toModelMessages` gives for all events. */
  readonly messages: ModelMessage[];
  /** Ids of all calls, also of those that were undone. */
  readonly callIds: ReadonlySet<string>;
}

interface Folded {
  readonly mediaInResults: boolean;
  readonly fold: MessageFold;
  readonly callIds: Set<string>;
  lastSeq: number;
}

/**
 * The conversations of sessions that are being worked on, kept from step to step, so that each step reads only the events
 * that came since the one before.
 */
export class Conversations {
  readonly #journal: Pick<Journal, "events">;
  readonly #folded = new Map<string, Folded>();

  constructor(journal: Pick<Journal, "events">) {
    this.#journal = journal;
  }

  of(session: string, options: MessageOptions): Conversation {
    const known = this.#folded.get(session);
    const more = known ? this.#journal.events(session, known.lastSeq) : [];
    const isUsable = known?.mediaInResults === options.mediaInResults && more.every(({ type }) => type !== "undo");
    const folded = isUsable ? known : this.#begin(session, options);
    if (isUsable) for (const event of more) folded.fold.add(event);
    note(folded, more);
    return { messages: folded.fold.messages(), callIds: folded.callIds };
  }

  /** To be called when nothing is done for a session any more: its conversation takes memory. */
  forget(session: string): void {
    this.#folded.delete(session);
  }

  #begin(session: string, { mediaInResults }: MessageOptions): Folded {
    const events = this.#journal.events(session);
    const fold = new MessageFold({ mediaInResults });
    for (const event of liveEvents(events)) fold.add(event);
    const folded: Folded = { mediaInResults, fold, callIds: new Set(), lastSeq: 0 };
    note(folded, events);
    this.#folded.set(session, folded);
    return folded;
  }
}

function note(folded: Folded, events: readonly DurableEvent[]): void {
  for (const event of events) if (event.type === "tool-call") folded.callIds.add(event.toolCallId);
  folded.lastSeq = Math.max(folded.lastSeq, events.at(-1)?.seq ?? 0);
}
