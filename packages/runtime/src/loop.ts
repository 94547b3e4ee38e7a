import type { Budget, BudgetCaps, PendingApproval, Spent, ToolCallEvent, TurnEndReason } from "@tenrec/protocol";
import { NATIVE_ENGINE } from "./native-engine.ts";
import { type CallState, NOTHING_SPENT, pendingApprovals, type SessionState, type TurnState } from "./session-state.ts";

/** Why a call gets its result without running. */
type SettledAs = "invalid" | "denied" | "expired" | "interrupted" | "stopped" | "repeated";

/** What the driver does next. Doing it appends at least one event, so the next decision differs. */
export type Action =
  | { readonly type: "idle" }
  /** The turn waits for a person. No timer, no alarm: the object may sleep. */
  | { readonly type: "park" }
  /** Nobody answered in time. */
  | { readonly type: "expire"; readonly approval: PendingApproval }
  | { readonly type: "start-turn"; readonly operationIds: readonly string[] }
  | { readonly type: "call-model"; readonly step: number; readonly attempt: number }
  | { readonly type: "run-engine" }
  /** One call, or several `pure` ones together. */
  | { readonly type: "run-calls"; readonly calls: readonly CallState[] }
  | {
      readonly type: "settle-call";
      readonly call: ToolCallEvent;
      readonly as: SettledAs;
      readonly reason?: string;
    }
  | { readonly type: "end-turn"; readonly reason: TurnEndReason; readonly text: string };

/** Model calls for one step, the first included. */
export const MAX_ATTEMPTS = 3;
/** The third identical call in a row is not run. */
const MAX_REPEATED = 3;

/** What a session's own journal does not say. */
export interface Surroundings {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** What all sessions of the workspace have spent. */
  readonly spent: Spent;
}

const ALONE: Surroundings = { now: 0, spent: NOTHING_SPENT };

/**
 * The loop, as a function: what follows from what happened. Pure. It goes on whenever the model asked for tools, whatever
 * finish reason came with them, and it counts everything from the journal, so a restart decides the same.
 */
export function decide(state: SessionState, budget: Budget, around: Surroundings = ALONE): Action {
  const { turn } = state;
  if (!turn) {
    const [first] = state.queue;
    return first === undefined ? { type: "idle" } : { type: "start-turn", operationIds: [first] };
  }
  const open = turn.calls.filter((c) => !c.result);
  const [next] = open;
  if (turn.aborted) {
    if (next) return settle(next, next.effect ? "interrupted" : "stopped");
    return { type: "end-turn", reason: "aborted", text: "Stopped on request." };
  }
  if (turn.engine !== NATIVE_ENGINE) {
    // Calls that a cut-off run of the engine left open; it runs again from the tree it committed.
    if (next) return settle(next, "interrupted");
    return overBudget(state, budget, around.spent) ?? { type: "run-engine" };
  }
  const over = (): Action | undefined => overBudget(state, budget, around.spent);
  if (turn.stepOpen) return retryStep(turn, over);
  const expired = pendingApprovals(state).find(({ expiresAt }) => expiresAt !== undefined && expiresAt <= around.now);
  if (expired) return { type: "expire", approval: expired };
  return next ? nextCalls(next, open) : nextStep(turn, over);
}

/** Every call has its result: the model goes on with them, unless it made none and so has answered. */
function nextStep(turn: TurnState, over: () => Action | undefined): Action {
  if (turn.calls.length === 0 && turn.step > 0 && turn.unseen.length === 0) {
    return { type: "end-turn", reason: "done", text: turn.text };
  }
  if (turn.calls.some((c) => c.nth >= MAX_REPEATED)) {
    const text = `Stopped: the model made the same call ${MAX_REPEATED} times in a row. Say what it should do instead.`;
    return { type: "end-turn", reason: "repetition", text };
  }
  return over() ?? { type: "call-model", step: turn.step + 1, attempt: 1 };
}

function settle(c: CallState, as: SettledAs, reason?: string): Action {
  return { type: "settle-call", call: c.call, as, ...(reason === undefined ? {} : { reason }) };
}

/** The step began and did not end: its model call failed, or the object died in it. Nothing of it was executed. */
function retryStep(turn: TurnState, over: () => Action | undefined): Action {
  if (turn.attempt < MAX_ATTEMPTS) {
    return over() ?? { type: "call-model", step: turn.step, attempt: turn.attempt + 1 };
  }
  return turn.error
    ? { type: "end-turn", reason: "failed", text: turn.error.message }
    : {
        type: "end-turn",
        reason: "recovery",
        text: `Given up: the model call was cut off ${turn.attempt} times. Submit again to go on from here.`,
      };
}

function nextCalls(next: CallState, open: readonly CallState[]): Action {
  if (next.call.invalid) return settle(next, "invalid");
  if (next.nth >= MAX_REPEATED) return settle(next, "repeated");
  if (next.approval?.approved === false) {
    return settle(next, next.approval.by === "expiry" ? "expired" : "denied", next.approval.reason);
  }
  if (next.approval && next.approval.approved === undefined) return { type: "park" };
  // An effect without a result: it was cut off after it may have changed something outside.
  if (next.effect) return settle(next, "interrupted");
  const end = open.findIndex((c) => !runsWithOthers(c));
  return { type: "run-calls", calls: end === -1 ? open : open.slice(0, Math.max(1, end)) };
}

function runsWithOthers({ call, approval, nth }: CallState): boolean {
  return call.replay === "pure" && !call.invalid && !approval && nth < MAX_REPEATED;
}

type End = Extract<Action, { type: "end-turn" }>;

/** Whose cap it is, and what a person can do once it is reached. */
const SCOPES = {
  turn: { steps: "Submit again to go on, or raise the agent's budget.", other: "Raise the agent's budget to go on." },
  session: {
    steps: "Raise the agent's budget to go on, or begin a new session.",
    other: "Raise the agent's budget to go on, or begin a new session.",
  },
  workspace: { steps: "Raise the agent's budget to go on.", other: "Raise the agent's budget to go on." },
} as const;

/** The end of the turn, when a cap of the turn, of the session or of the workspace is reached. */
export function overBudget(state: SessionState, budget: Budget, workspace: Spent): End | undefined {
  return (
    (state.turn && exceeded(state.turn.spent, budget.turn, "turn")) ??
    exceeded(state.spent, budget.session, "session") ??
    exceeded(workspace, budget.workspace, "workspace")
  );
}

function exceeded(spent: Spent, caps: BudgetCaps | undefined, scope: keyof typeof SCOPES): End | undefined {
  const end = (reason: TurnEndReason, what: string): End => {
    const advice = SCOPES[scope][reason === "steps" ? "steps" : "other"];
    return { type: "end-turn", reason, text: `Stopped: the ${scope} ${what}. ${advice}` };
  };
  if (caps?.usd !== undefined && spent.usd >= caps.usd) {
    return end("budget", `has cost $${spent.usd.toFixed(4)}, its cap is $${caps.usd}`);
  }
  if (caps?.tokens !== undefined && spent.tokens >= caps.tokens) {
    return end("budget", `has used ${spent.tokens} tokens, its cap is ${caps.tokens}`);
  }
  if (caps?.steps !== undefined && spent.steps >= caps.steps) {
    return end("steps", `has made ${spent.steps} model calls, its cap is ${caps.steps}`);
  }
  return undefined;
}
