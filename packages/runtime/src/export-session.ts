import { JOURNAL_VERSION, TenrecError } from "@tenrec/protocol";
import type { SessionInfo } from "@tenrec/protocol";
import { journalPages } from "./journal-pages.ts";
import type { Workspace } from "./workspace.ts";

/** First line of an export. */
export interface ExportHeader {
  readonly type: "session";
  /** Version of the events. */
  readonly version: number;
  readonly session: Pick<SessionInfo, "id" | "title" | "parent" | "createdAt" | "model" | "lastSeq">;
}

/** The full text of a tool's output that was cut, by the id under which it was saved. */
export interface ExportedOutput {
  readonly type: "output";
  readonly id: string;
  readonly text: string;
}

/** Last line of an export: without it, something is missing. */
export interface ExportEnd {
  readonly type: "end";
  readonly events: number;
  readonly outputs: number;
}

/**
 * A session as JSON lines: a header, every durable event as it is in the journal, what was undone included, the outputs
 * that were cut, and a last line with how many there were. Files are not in it. Holds one page of it at a time; the moment
 * is that of the first line. Throws `session-not-found`, also when the session is deleted on the way.
 */
export function* exportSession(workspace: Workspace, session: SessionInfo): Generator<string> {
  const { id, title, parent, createdAt, model, lastSeq } = session;
  const about = { id, title, ...(parent === undefined ? {} : { parent }), createdAt, model, lastSeq };
  const header: ExportHeader = { type: "session", version: JOURNAL_VERSION, session: about };
  yield JSON.stringify(header);
  for (const event of journalPages(workspace.journal, id, lastSeq)) yield JSON.stringify(event);
  let outputs = 0;
  for (const output of savedTexts(workspace, id)) {
    outputs += 1;
    yield JSON.stringify(output);
  }
  const end: ExportEnd = { type: "end", events: lastSeq, outputs };
  yield JSON.stringify(end);
}

function* savedTexts({ storage, journal }: Workspace, session: string): Generator<ExportedOutput> {
  for (let after = ""; ;) {
    const next = "SELECT MIN(id) AS id FROM tenrec_outputs WHERE session = ? AND id > ?";
    const [row] = storage.sql.exec<{ id: string | null }>(next, session, after).toArray();
    if (row?.id === undefined || row.id === null) break;
    after = row.id;
    const parts = "SELECT body FROM tenrec_outputs WHERE session = ? AND id = ? ORDER BY part";
    const bodies = storage.sql.exec<{ body: string }>(parts, session, after).toArray();
    yield { type: "output", id: after, text: bodies.map(({ body }) => body).join("") };
  }
  if (!journal.has(session)) throw new TenrecError("session-not-found", { session });
}
