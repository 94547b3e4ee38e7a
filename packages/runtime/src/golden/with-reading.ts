import type { DurableEvent } from "@tenrec/protocol";
import { createNodeStorage } from "@tenrec/vfs/testing";
import { Journal } from "../journal.ts";
import { toModelMessages } from "../messages.ts";
import { type SessionState, pendingApprovals } from "../session-state.ts";
import { MAIN_HEAD } from "../workspace.ts";

/** One line of a recording: the version first, then an event a line. */
export function toLines(version: number, events: readonly object[]): string {
  return [{ journalVersion: version }, ...events].map((line) => `${JSON.stringify(line)}\n`).join("");
}

export function fromLines(text: string): { readonly version: number; readonly events: DurableEvent[] } {
  const [first, ...events] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  return { version: (first as { journalVersion: number }).journalVersion, events: events as DurableEvent[] };
}

/** A journal on a database that an older version of this package filled. */
export function storedJournal(version: number, events: readonly DurableEvent[]): { journal: Journal; session: string } {
  const storage = createNodeStorage();
  const journal = new Journal(storage, () => 0);
  const session = events[0]?.session ?? "s";
  journal.createSession(session, MAIN_HEAD);
  storage.sql.exec("UPDATE tenrec_sessions SET journal_version = ?", version);
  for (const { session: _session, seq, at, ...body } of events) {
    storage.sql.exec("INSERT INTO tenrec_events VALUES (?, ?, ?, 1, ?)", session, seq, at, JSON.stringify(body));
  }
  return { journal, session };
}

export interface Folds {
  readonly state: object;
  readonly operations: unknown;
  readonly approvals: unknown;
  readonly messages: unknown;
}

/** Everything that is a fold of a journal, as JSON. */
export function foldsOf(journal: Journal, session: string): Folds {
  const state = journal.state(session);
  const events = journal.events(session);
  const folds = {
    state: plain(state),
    operations: [...state.open.values()],
    approvals: pendingApprovals(state),
    messages: toModelMessages(events, { mediaInResults: false }),
  };
  return JSON.parse(JSON.stringify(folds)) as Folds;
}

function plain(state: SessionState): object {
  return { ...state, open: [...state.open] };
}
