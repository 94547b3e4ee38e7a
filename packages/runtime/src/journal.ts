import type { DurableEvent, DurableEventBody, OperationStatus, Spent } from "@tenrec/protocol";
import { JOURNAL_VERSION, TenrecError } from "@tenrec/protocol";
import type { StorageLike } from "@tenrec/vfs";
import { createJournalSchema, ROW_CHARS } from "./journal-schema.ts";
import { applyEvent } from "./apply-event.ts";
import { isLive } from "./live-events.ts";
import { EMPTY_STATE, type SessionState } from "./session-state.ts";
import { countSpent, createSpentSchema, readSpent } from "./spent.ts";
import { splitText } from "./split-text.ts";

/** A session's own row: what is not an event. */
export interface SessionRow {
  readonly id: string;
  readonly parent: string | null;
  /** Name of its head in the tree store: the one that sessions of a workspace share, or its own. */
  readonly head: string;
  readonly created_at: number;
  readonly journal_version: number;
  readonly interruptions: number;
}

/** Events that show that a turn gets on, however often it is interrupted. */
const PROGRESS: readonly DurableEventBody["type"][] = ["turn-start", "tool-result", "step-end", "turn-end"];

type Listener = (events: readonly DurableEvent[]) => void;

/**
 * The append-only list of a workspace's events, one sequence for each session, and the fold over it.
 *
 * Writing has two halves, so that events can share a transaction with other rows: `write` inside the transaction, then
 * `publish` after it has committed. `append` does both.
 */
export class Journal {
  readonly #storage: StorageLike;
  readonly #now: () => number;
  readonly #clean: (body: DurableEventBody) => DurableEventBody;
  readonly #states = new Map<string, SessionState>();
  readonly #listeners = new Set<Listener>();
  readonly #removalListeners = new Set<(session: string) => void>();
  /** Under which this instance writes; undefined when it was never to claim the journal. */
  #epoch: number | undefined;
  /** The epoch is that of this instance, and no longer the one that it found. */
  #isClaimed = false;

  /** Each event passes through `clean` before it is stored or told; default: as it is. */
  constructor(storage: StorageLike, now: () => number, clean = (body: DurableEventBody): DurableEventBody => body) {
    this.#storage = storage;
    this.#now = now;
    this.#clean = clean;
    createJournalSchema(storage.sql);
    createSpentSchema(storage.sql);
  }

  /**
   * From here on only this instance of the object writes: one that it replaced and that still runs is refused with
   * `aborted`. Never throws: with the storage full the claim is made up for by `requireClaim`.
   */
  claim(): void {
    this.#epoch = this.#storedEpoch();
    try {
      this.requireClaim();
    } catch {
      // Reading must go on; whatever is written meets the same failure.
    }
  }

  /**
   * Claims the journal where `claim` could not. To be called before work, outside of a transaction. Throws what the storage
   * does, such as `ENOSPC`, and `aborted` when another instance has claimed the journal since.
   */
  requireClaim(): void {
    if (this.#isClaimed) this.assertCurrent();
    if (this.#isClaimed || this.#epoch === undefined) return;
    const [row] = this.#storage.sql
      .exec<{ epoch: number }>(
        `INSERT INTO tenrec_instance VALUES (1, 1)
         ON CONFLICT (id) DO UPDATE SET epoch = epoch + 1 WHERE epoch = ? RETURNING epoch`,
        this.#epoch,
      )
      .toArray();
    if (!row) throw replaced();
    this.#epoch = row.epoch;
    this.#isClaimed = true;
  }

  /** 0 for a journal that no instance has claimed. */
  #storedEpoch(): number {
    return this.#storage.sql.exec<{ epoch: number }>("SELECT epoch FROM tenrec_instance").toArray()[0]?.epoch ?? 0;
  }

  /** Throws `aborted` when another instance has claimed the journal since. To be called before an effect outside. */
  assertCurrent(): void {
    if (this.#epoch === undefined) return;
    if (this.#storedEpoch() === this.#epoch) return;
    throw replaced();
  }

  createSession(id: string, head: string, parent?: string): void {
    this.#storage.sql.exec(
      "INSERT INTO tenrec_sessions (id, parent, head, created_at, journal_version) VALUES (?, ?, ?, ?, ?)",
      id,
      parent ?? null,
      head,
      this.#now(),
      JOURNAL_VERSION,
    );
  }

  sessions(): SessionRow[] {
    return this.#storage.sql
      .exec<SessionRow & Record<string, string | number | null>>(
        "SELECT * FROM tenrec_sessions ORDER BY created_at, id",
      )
      .toArray();
  }

  /** Throws `session-not-found`. */
  session(id: string): SessionRow {
    const [row] = this.#storage.sql
      .exec<SessionRow & Record<string, string | number | null>>("SELECT * FROM tenrec_sessions WHERE id = ?", id)
      .toArray();
    if (!row) throw new TenrecError("session-not-found", { session: id });
    if (row.journal_version > JOURNAL_VERSION) {
      const what = `Version ${row.journal_version} of the journal of session ${id}`;
      const how = "Deploy a version of @tenrec/runtime that is at least as new as the one that wrote it.";
      throw new TenrecError("not-configured", { what, how });
    }
    return row;
  }

  has(session: string): boolean {
    return this.#storage.sql.exec("SELECT 1 FROM tenrec_sessions WHERE id = ?", session).toArray().length > 0;
  }

  /** First half of a removal, inside a transaction: the session does not exist any more. Its other rows are still there. */
  removeSession(id: string): void {
    this.#storage.sql.exec("DELETE FROM tenrec_sessions WHERE id = ?", id);
    this.#storage.sql.exec("UPDATE tenrec_sessions SET parent = NULL WHERE parent = ?", id);
  }

  /** Second half, once the transaction has committed. */
  publishRemoval(session: string): void {
    this.#states.delete(session);
    for (const listener of this.#removalListeners) listener(session);
  }

  /** Calls `listener` with each session that was removed, until the returned function is called. */
  listenRemoval(listener: (session: string) => void): () => void {
    this.#removalListeners.add(listener);
    return () => {
      this.#removalListeners.delete(listener);
    };
  }

  setInterruptions(session: string, count: number): void {
    // Most calls set what is there already: no row is written then.
    const update = "UPDATE tenrec_sessions SET interruptions = ?1 WHERE id = ?2 AND interruptions <> ?1";
    this.#storage.sql.exec(update, count, session);
  }

  /** What all sessions have spent, those that are gone included. */
  spent(): Spent {
    return readSpent(this.#storage.sql);
  }

  /** Every tree that an event names: what a session can go back to. */
  trees(): Set<string> {
    const { sql } = this.#storage;
    const trees = new Set<string>();
    // The first part of a long body is no JSON.
    const rows = sql.exec<{ tree: string | null }>(
      `SELECT json_extract(body, '$.tree') AS tree FROM tenrec_events WHERE parts = 1
       UNION SELECT json_extract(body, '$.fromTree') FROM tenrec_events WHERE parts = 1`,
    );
    for (const { tree } of rows) if (tree !== null) trees.add(tree);
    const long = sql.exec<{ session: string; seq: number }>("SELECT session, seq FROM tenrec_events WHERE parts > 1");
    for (const { session, seq } of long.toArray()) {
      for (const event of this.events(session, seq - 1, 1)) if ("tree" in event) trees.add(event.tree);
    }
    return trees;
  }

  /** The fold of all events so far; kept in memory between calls. */
  state(session: string): SessionState {
    const known = this.#states.get(session);
    if (known) return known;
    this.session(session);
    const state = this.events(session).reduce(applyEvent, EMPTY_STATE);
    this.#states.set(session, state);
    return state;
  }

  /** Events after `after`, in order, at most `limit`. */
  events(session: string, after = 0, limit = -1): DurableEvent[] {
    const rows = this.#storage.sql
      .exec<{ seq: number; at: number; parts: number; body: string }>(
        "SELECT seq, at, parts, body FROM tenrec_events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?",
        session,
        after,
        limit,
      )
      .toArray();
    return rows.map(({ seq, at, parts, body }) => {
      const text = parts > 1 ? body + this.#rest(session, seq) : body;
      return { ...(JSON.parse(text) as DurableEventBody), session, seq, at };
    });
  }

  /**
   * First half: inserts the events, and what follows from them: how operations ended, and that there was progress. To be
   * called inside a transaction, which also undoes it when it fails. Throws `aborted` in an instance that was replaced.
   */
  write(session: string, bodies: readonly DurableEventBody[]): DurableEvent[] {
    this.assertCurrent();
    const events = this.#insert(session, bodies);
    let state = this.state(session);
    for (const event of events) {
      state = applyEvent(state, event);
      for (const status of state.settled) this.#settle(event, status);
    }
    countSpent(this.#storage.sql, bodies);
    if (bodies.some(({ type }) => PROGRESS.includes(type))) this.setInterruptions(session, 0);
    return events;
  }

  #insert(session: string, bodies: readonly DurableEventBody[]): DurableEvent[] {
    const { sql } = this.#storage;
    const at = this.#now();
    let seq = this.state(session).lastSeq;
    return bodies.map(this.#clean).map((body) => {
      seq += 1;
      const [first = "", ...rest] = splitText(JSON.stringify(body), ROW_CHARS);
      sql.exec(
        "INSERT INTO tenrec_events (session, seq, at, parts, body) VALUES (?, ?, ?, ?, ?)",
        session,
        seq,
        at,
        rest.length + 1,
        first,
      );
      for (const [part, text] of rest.entries()) {
        sql.exec("INSERT INTO tenrec_event_parts VALUES (?, ?, ?, ?)", session, seq, part, text);
      }
      return { ...body, session, seq, at };
    });
  }

  /** Second half: folds written events and tells the listeners. To be called once the transaction has committed. */
  publish(events: readonly DurableEvent[]): void {
    for (const event of events) this.#states.set(event.session, applyEvent(this.state(event.session), event));
    for (const listener of this.#listeners) listener(events);
  }

  append(session: string, bodies: readonly DurableEventBody[]): DurableEvent[] {
    const events = this.#storage.transactionSync(() => this.write(session, bodies));
    this.publish(events);
    return events;
  }

  /** Calls `listener` with what was published, until the returned function is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** The hash of the input that was submitted under an id; undefined for an id that is new. */
  inputHash(session: string, operationId: string): string | undefined {
    return this.#operation(session, operationId)?.input_hash;
  }

  addOperation(session: string, operationId: string, inputHash: string): void {
    this.#storage.sql.exec(
      "INSERT INTO tenrec_operations (session, id, input_hash) VALUES (?, ?, ?)",
      session,
      operationId,
      inputHash,
    );
  }

  /** Where an operation is; undefined for one that is not of this session. */
  operation(session: string, operationId: string): OperationStatus | undefined {
    const open = this.state(session).open.get(operationId);
    if (open) return open;
    const text = this.#operation(session, operationId)?.status;
    if (!text) return undefined;
    const { seq, ...status } = JSON.parse(text) as OperationStatus & { readonly seq?: number };
    if (seq === undefined || isLive(this.state(session).undos, seq)) return status;
    return { ...status, undone: true } as OperationStatus;
  }

  #operation(session: string, id: string): { input_hash: string; status: string | null } | undefined {
    return this.#storage.sql
      .exec<{ input_hash: string; status: string | null }>(
        "SELECT input_hash, status FROM tenrec_operations WHERE session = ? AND id = ?",
        session,
        id,
      )
      .toArray()[0];
  }

  /** With the `seq` of what settled it, by which it is known to be undone. */
  #settle({ session, seq }: DurableEvent, status: OperationStatus): void {
    // The text is in the journal too; here it must fit into a row.
    const short = status.status === "done" ? { ...status, text: status.text.slice(0, ROW_CHARS) } : status;
    this.#storage.sql.exec(
      "UPDATE tenrec_operations SET status = ? WHERE session = ? AND id = ?",
      JSON.stringify({ ...short, seq }),
      session,
      status.operationId,
    );
  }

  #rest(session: string, seq: number): string {
    return this.#storage.sql
      .exec<{ body: string }>(
        "SELECT body FROM tenrec_event_parts WHERE session = ? AND seq = ? ORDER BY part",
        session,
        seq,
      )
      .toArray()
      .map((row) => row.body)
      .join("");
  }
}

function replaced(): TenrecError {
  return new TenrecError("aborted", { reason: "a newer instance of the object has taken over" });
}
