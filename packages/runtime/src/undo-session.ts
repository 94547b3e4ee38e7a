import type { DurableEvent, SessionPoint, Undone } from "@tenrec/protocol";
import { hasCode, TenrecError } from "@tenrec/protocol";
import type { CommitRows } from "@tenrec/vfs";
import { isWhole, planRestore } from "./plan-restore.ts";
import { restoreFiles } from "./restore-files.ts";
import { findPoint, type FoundPoint } from "./session-point.ts";
import type { Workspace } from "./workspace.ts";

/** Tries, when others commit meanwhile. */
const TRIES = 3;

interface Move {
  readonly session: string;
  readonly head: string;
  readonly point: FoundPoint;
  readonly events: readonly DurableEvent[];
  readonly force: boolean;
}

/**
 * Takes a session back to a point: the event that says so and the files' changes commit together, or not at all. Its own
 * turns' changes of files are taken back path by path; where others changed the same path since, it is `undo-conflict`,
 * unless `force`. Of a turn that waits, everything that waits is dropped. The caller sees to it that no turn runs: one that
 * begins meanwhile makes it `session-busy`.
 */
export async function undoSession(
  workspace: Workspace,
  session: string,
  to: SessionPoint,
  force: boolean,
): Promise<Undone> {
  const { journal } = workspace;
  const { head } = journal.session(session);
  const state = journal.state(session);
  const events = journal.events(session);
  const point = findPoint(session, events, to);
  let written: readonly DurableEvent[] = [];
  const rows: CommitRows = ({ before, tree }) => {
    if (journal.state(session).lastSeq !== state.lastSeq) throw new TenrecError("session-busy", { session });
    written = journal.write(session, [{ type: "undo", toSeq: point.seq, fromTree: before, tree }]);
  };
  const { tree, changes } = await moveFiles(workspace, { session, head, point, events, force }, rows);
  journal.publish(written);
  const seq = state.lastSeq + 1;
  const files = changes.map(({ path }) => path);
  return { session, seq, tree, files, ...(state.turn ? {} : { redo: { seq: state.lastSeq } }) };
}

async function moveFiles(
  { trees }: Workspace,
  { session, head, point, events, force }: Move,
  rows: CommitRows,
): Promise<Pick<ReturnType<typeof trees.revert>, "tree" | "changes">> {
  for (let tries = 1; ; tries += 1) {
    using overlay = trees.overlay(trees.head(head));
    const current = overlay.tree;
    const plan = await planRestore(trees, events, point.seq, current);
    const conflict = (paths: readonly string[]): TenrecError => new TenrecError("undo-conflict", { session, paths });
    if (plan.conflicts.length > 0 && !force) throw conflict(plan.conflicts);
    try {
      const whole = plan.restores.length === 0 ? current : point.tree;
      if (whole !== undefined && isWhole(trees, plan, current, whole) && trees.head(head) === current) {
        return trees.revert(head, whole, rows);
      }
      const blocked = await restoreFiles(trees, overlay, plan.restores);
      if (blocked.length > 0) throw conflict(blocked);
      return trees.commit(head, await trees.stage(overlay), rows);
    } catch (error) {
      // Somebody else committed meanwhile: what is in the way now, the next plan tells.
      if (!hasCode(error, "tree-conflict")) throw error;
      if (tries === TRIES) throw conflict(error.data.paths);
    }
  }
}
