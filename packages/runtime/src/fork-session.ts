import { gitStore } from "./call-git.ts";
import type { DurableEvent, DurableEventBody, SessionPoint } from "@tenrec/protocol";
import type { SessionState } from "./session-state.ts";
import { findPoint, type FoundPoint } from "./session-point.ts";
import { ownHead, treeOf, type Workspace } from "./workspace.ts";

/** The newest moment at which nothing ran. */
function settledPoint(workspace: Workspace, from: string, events: readonly DurableEvent[]): FoundPoint {
  const { turn, queue, lastSeq } = workspace.journal.state(from);
  if (!turn && queue.length === 0) return { seq: lastSeq, tree: treeOf(workspace, from) };
  const last = events.findLast((event) => event.type === "turn-end" || event.type === "undo");
  return { seq: last?.seq ?? 0, tree: last && "tree" in last ? last.tree : treeOf(workspace, from) };
}

/** What the copied events leave open ends here, and the newest title and model come along. */
function closing(original: SessionState, copied: SessionState, { seq }: FoundPoint, tree: string): DurableEventBody[] {
  const { title, model } = original;
  const change = {
    ...(title === undefined || title === copied.title ? {} : { title }),
    ...(model === undefined || model === copied.model ? {} : { model }),
  };
  return [
    ...(copied.turn || copied.queue.length > 0 ? [{ type: "undo", toSeq: seq, fromTree: tree, tree } as const] : []),
    ...(Object.keys(change).length > 0 ? [{ type: "session-change", ...change } as const] : []),
  ];
}

/**
 * Copies a session as it was at a point into a new one whose tree is the one of that moment, and returns the new id.
 * Without a point it is what the session has settled: of one that runs, everything up to the end of its last turn. Prompts
 * that wait stay with the original. The tree is shared by hash, so only events and cut outputs are copied.
 */
export function forkSession(workspace: Workspace, from: string, at?: SessionPoint): string {
  const { journal, storage, trees } = workspace;
  const id = crypto.randomUUID();
  const events = journal.events(from);
  const point = at ? findPoint(from, events, at) : settledPoint(workspace, from, events);
  // Before the first turn there is the tree that it began with.
  const tree = point.tree ?? events.find((event) => event.type === "turn-start")?.tree ?? treeOf(workspace, from);
  const written = storage.transactionSync(() => {
    trees.setHead(ownHead(id), tree);
    gitStore(workspace).copy(journal.session(from).head, ownHead(id));
    journal.createSession(id, ownHead(id), from);
    const copies: readonly [table: string, columns: string, where: string][] = [
      ["tenrec_events", "seq, at, parts, body", `seq <= ${point.seq}`],
      ["tenrec_event_parts", "seq, part, body", `seq <= ${point.seq}`],
      ["tenrec_outputs", "id, part, body", "TRUE"],
    ];
    for (const [table, columns, where] of copies) {
      storage.sql.exec(
        `INSERT INTO ${table} (session, ${columns}) SELECT ?, ${columns} FROM ${table} WHERE session = ? AND ${where}`,
        id,
        from,
      );
    }
    return journal.write(id, closing(journal.state(from), journal.state(id), point, tree));
  });
  journal.publish(written);
  return id;
}
