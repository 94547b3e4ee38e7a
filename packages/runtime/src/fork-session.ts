import { ownHead, treeOf, type Workspace } from "./workspace.ts";

/**
 * Copies what a session has settled into a new one whose tree is the one of that moment, and returns the new id. Of a
 * session that runs, this is everything up to the end of its last turn; prompts that wait stay with the original. The
 * tree is shared by hash, so only events are copied.
 */
export function forkSession(workspace: Workspace, from: string): string {
  const { journal, storage, trees } = workspace;
  const id = crypto.randomUUID();
  const state = journal.state(from);
  const events = journal.events(from);
  const isIdle = !state.turn && state.queue.length === 0;
  const last = events.findLast((event) => event.type === "turn-end");
  const through = isIdle ? state.lastSeq : (last?.seq ?? 0);
  const tree = isIdle || last?.type !== "turn-end" ? treeOf(workspace, from) : last.tree;
  storage.transactionSync(() => {
    trees.setHead(ownHead(id), tree);
    journal.createSession(id, ownHead(id), from);
    const copies: readonly [table: string, columns: string, where: string][] = [
      ["tenrec_events", "seq, at, parts, body", `seq <= ${through}`],
      ["tenrec_event_parts", "seq, part, body", `seq <= ${through}`],
      ["tenrec_outputs", "id, part, body", "TRUE"],
    ];
    for (const [table, columns, where] of copies) {
      storage.sql.exec(
        `INSERT INTO ${table} (session, ${columns}) SELECT ?, ${columns} FROM ${table} WHERE session = ? AND ${where}`,
        id,
        from,
      );
    }
  });
  const { title, model } = state;
  if (journal.state(id).queue.length > 0) journal.append(id, [{ type: "abort" }]);
  const change = { ...(title === undefined ? {} : { title }), ...(model === undefined ? {} : { model }) };
  if (!isIdle && Object.keys(change).length > 0) journal.append(id, [{ type: "session-change", ...change }]);
  return id;
}
