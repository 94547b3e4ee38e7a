import type { ApprovalAnswer, PendingApproval } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";
import { pendingApprovals } from "./session-state.ts";
import type { Workspace } from "./workspace.ts";

/** Whether a question has waited for as long as it may. */
function isExpired({ expiresAt }: PendingApproval, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

/** Ends a question that nobody answered: its call counts as refused. Once, whoever notices first. */
export function expireApproval(workspace: Workspace, { session, approvalId, toolCallId }: PendingApproval): void {
  const { turn } = workspace.journal.state(session);
  if (!turn) return;
  workspace.journal.append(session, [
    { type: "approval-answer", turn: turn.turn, approvalId, toolCallId, approved: false, by: "expiry" },
  ]);
}

/**
 * Claims a question for an answer. Throws `approval-answered` for one that was answered, stopped or is past its time,
 * `approval-mismatch` when the answer is for other arguments, and `approval-not-found` for an id that never was one.
 */
export function answerApproval(
  workspace: Workspace,
  session: string,
  approvalId: string,
  { approved, reason, inputHash }: ApprovalAnswer,
): void {
  const { journal, clock } = workspace;
  const state = journal.state(session);
  const waiting = pendingApprovals(state).find((a) => a.approvalId === approvalId);
  if (!state.turn || !waiting) {
    const asked = journal.events(session).some((e) => e.type === "approval-request" && e.approvalId === approvalId);
    throw new TenrecError(asked ? "approval-answered" : "approval-not-found", { approvalId });
  }
  if (isExpired(waiting, clock.now())) {
    // The alarm is late; the answer must not win by that.
    expireApproval(workspace, waiting);
    throw new TenrecError("approval-answered", { approvalId });
  }
  if (inputHash !== undefined && inputHash !== waiting.inputHash) {
    throw new TenrecError("approval-mismatch", { approvalId });
  }
  const { toolCallId } = waiting;
  const said = { approved, ...(reason === undefined ? {} : { reason }) };
  journal.append(session, [
    { type: "approval-answer", turn: state.turn.turn, approvalId, toolCallId, ...said, by: "person" },
  ]);
}

/**
 * When the next question of a workspace expires, in milliseconds since the epoch; undefined when none will. One that has
 * expired is something to do now.
 */
export function nextExpiry({ journal, clock }: Pick<Workspace, "journal" | "clock">): number | undefined {
  const now = clock.now();
  const due = journal
    .sessions()
    .flatMap(({ id }) => pendingApprovals(journal.state(id)))
    .flatMap(({ expiresAt }) => (expiresAt !== undefined && expiresAt > now ? [expiresAt] : []));
  return due.length > 0 ? Math.min(...due) : undefined;
}
