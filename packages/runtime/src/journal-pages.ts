import type { DurableEvent } from "@tenrec/protocol";
import type { Journal } from "./journal.ts";

/** Events that are read together: one may have megabytes. */
const PAGE = 20;

/**
 * The events of a session up to one of them, without having them all in memory. Throws `session-not-found`, also when the
 * session is deleted on the way.
 */
export function* journalPages(
  journal: Pick<Journal, "session" | "events">,
  session: string,
  lastSeq: number,
): Generator<DurableEvent> {
  for (let seq = 0; seq < lastSeq;) {
    journal.session(session);
    const page = journal.events(session, seq, Math.min(PAGE, lastSeq - seq));
    yield* page;
    seq = page.at(-1)?.seq ?? lastSeq;
  }
}
