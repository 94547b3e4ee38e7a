import type { TenrecEvent } from "@tenrec/protocol";

/** Whether a session has work to do. */
export interface RunState {
  readonly queued: readonly string[];
  /** Operations of the turn that runs; empty between turns. */
  readonly running: readonly string[];
  /** Approvals that nobody has answered yet. */
  readonly approvals: readonly string[];
}

export const IDLE: RunState = { queued: [], running: [], approvals: [] };

/** One step of the fold over a session's events. */
export function nextRunState(state: RunState, event: TenrecEvent): RunState {
  switch (event.type) {
    case "input":
      return event.whenBusy === "steer" && state.running.length > 0
        ? { ...state, running: [...state.running, event.operationId] }
        : { ...state, queued: [...state.queued, event.operationId] };
    case "turn-start":
      return {
        ...state,
        queued: state.queued.filter((id) => !event.operationIds.includes(id)),
        running: event.operationIds,
      };
    case "turn-end":
      return { ...state, running: [], approvals: [] };
    case "abort":
      return {
        ...state,
        queued: state.queued.filter((id) => event.operationId !== undefined && id !== event.operationId),
      };
    case "undo":
      return IDLE;
    case "approval-request":
      return { ...state, approvals: [...state.approvals, event.approvalId] };
    case "approval-answer":
      return { ...state, approvals: state.approvals.filter((id) => id !== event.approvalId) };
    default:
      return state;
  }
}

export function isBusy({ queued, running }: RunState): boolean {
  return queued.length > 0 || running.length > 0;
}

export function runText(state: RunState): string {
  if (state.approvals.length > 0) return "waits for your approval";
  if (!isBusy(state)) return "ready";
  return state.queued.length > 0 && state.running.length > 0 ? `working, ${state.queued.length} waiting` : "working";
}
