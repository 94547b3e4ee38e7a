import type { ApprovalAnswer, ApprovalRequestEvent, DurableEvent, TenrecEvent, TurnEndEvent } from "@tenrec/protocol";
import { hasCode, isDurable } from "@tenrec/protocol";
import type { SessionClient } from "@tenrec/runtime/client";
import { IDLE, isBusy, nextRunState } from "../view/run-state.ts";

export interface FollowOptions {
  /** Events after this `seq`. There is a turn to follow after it, or one is about to begin. */
  readonly after: number;
  readonly onEvent: (event: TenrecEvent) => void;
  /** Asks a person; absent where there is none. Rejects when `stop` aborts. */
  readonly ask: ((request: ApprovalRequestEvent) => Promise<ApprovalAnswer>) | undefined;
  /** Stops the turn. */
  readonly stop: AbortSignal;
}

export interface Followed {
  readonly events: readonly DurableEvent[];
  /** How the last turn ended. */
  readonly end: TurnEndEvent | undefined;
  /** A question that nobody is there to answer; the session waits for it. */
  readonly unanswered: ApprovalRequestEvent | undefined;
}

/** Passes on what happens until the session has nothing to do, or waits for somebody who is not there. */
export async function followSession(session: SessionClient, options: FollowOptions): Promise<Followed> {
  const { after, onEvent, ask, stop } = options;
  const events: DurableEvent[] = [];
  const abort = (): void => void session.abort().catch(() => {});
  stop.addEventListener("abort", abort, { once: true });
  if (stop.aborted) abort();
  let state = IDLE;
  let end: TurnEndEvent | undefined;
  let unanswered: ApprovalRequestEvent | undefined;
  try {
    for await (const event of session.watch({ after })) {
      onEvent(event);
      if (!isDurable(event)) continue;
      events.push(event);
      if (event.type === "turn-end") end = event;
      const wasBusy = isBusy(state);
      state = nextRunState(state, event);
      if (wasBusy && !isBusy(state)) break;
      if (event.type !== "approval-request" || stop.aborted || !(await isOpen(session, event))) continue;
      if (!ask) {
        unanswered = event;
        break;
      }
      await putQuestion(session, event, ask, stop);
    }
  } finally {
    stop.removeEventListener("abort", abort);
  }
  return { events, end, unanswered };
}

/** A question of the past may have been answered. */
async function isOpen(session: SessionClient, { approvalId }: ApprovalRequestEvent): Promise<boolean> {
  return (await session.pending()).some((pending) => pending.approvalId === approvalId);
}

async function putQuestion(
  session: SessionClient,
  request: ApprovalRequestEvent,
  ask: NonNullable<FollowOptions["ask"]>,
  stop: AbortSignal,
): Promise<void> {
  try {
    await session.answer(request.approvalId, await ask(request));
  } catch (error) {
    // The stop of a turn settles its questions.
    if (!stop.aborted && !hasCode(error, "approval-answered") && !hasCode(error, "approval-not-found")) throw error;
  }
}
