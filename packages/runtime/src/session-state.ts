import type {
  ApprovalAnswerEvent,
  OperationStatus,
  PendingApproval,
  PermissionClass,
  Spent,
  ToolCallEvent,
  ToolResultEvent,
} from "@tenrec/protocol";

/** What a person allowed a call, for the arguments with this hash only. */
interface Grant {
  readonly permission: PermissionClass;
  readonly inputHash: string;
}

/** A call of the newest committed step, and how far it is. */
export interface CallState {
  readonly call: ToolCallEvent;
  readonly result?: ToolResultEvent;
  /** The newest question about this call. */
  readonly approval?: PendingApproval & {
    readonly approved?: boolean;
    readonly reason?: string;
    readonly by?: ApprovalAnswerEvent["by"];
  };
  readonly grants: readonly Grant[];
  /** It had its first effect outside the tree. */
  readonly effect: boolean;
  /** How many identical calls in a row this is, itself included. */
  readonly nth: number;
}

/** The turn that runs or waits. */
export interface TurnState {
  readonly turn: number;
  /** Operations it answers: those it started with, and those that joined by steering. */
  readonly operationIds: readonly string[];
  readonly engine: string;
  readonly model: string;
  /** Root hash of the tree it started from. */
  readonly tree: string;
  /** The newest step; 0 before the first. */
  readonly step: number;
  /** Model calls made for the newest step. */
  readonly attempt: number;
  /** The newest step has no end yet. */
  readonly stepOpen: boolean;
  readonly calls: readonly CallState[];
  /** Text of the newest step that ended. */
  readonly text: string;
  /** Operations that joined by steering and that the model has not seen. */
  readonly unseen: readonly string[];
  readonly spent: Spent;
  /** The newest call, for counting identical ones. */
  readonly lastCall: { readonly key: string; readonly nth: number };
  readonly aborted: boolean;
  /** The newest error of the open step. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** An undo: the events from `toSeq + 1` to `seq - 1` do not count any more. */
export interface UndoMark {
  readonly seq: number;
  readonly toSeq: number;
}

/** What the fold over a session's events knows. Immutable: `applyEvent` returns a new one. */
export interface SessionState {
  readonly lastSeq: number;
  readonly turns: number;
  /** Operations that wait for a turn, oldest first. */
  readonly queue: readonly string[];
  readonly turn?: TurnState;
  readonly spent: Spent;
  /** Operations that are not settled. Settled ones would make a long session's every event costly. */
  readonly open: ReadonlyMap<string, OperationStatus>;
  /** Operations that the newest event settled. */
  readonly settled: readonly OperationStatus[];
  /** Every undo, the oldest first. Undoing changes neither title, model, the count of turns, nor what was spent. */
  readonly undos: readonly UndoMark[];
  /** Files that the model has seen, by tree path: with which content, and by which event. The oldest first. */
  readonly seen: ReadonlyMap<string, readonly SeenContent[]>;
  readonly title?: string;
  readonly model?: string;
}

/** A content that the model came to know. */
interface SeenContent {
  readonly seq: number;
  readonly hash: string;
}

export const NOTHING_SPENT: Spent = { usd: 0, tokens: 0, steps: 0 };

export const EMPTY_STATE: SessionState = {
  lastSeq: 0,
  turns: 0,
  queue: [],
  spent: NOTHING_SPENT,
  open: new Map(),
  settled: [],
  undos: [],
  seen: new Map(),
};

/** Approvals that wait for an answer. */
export function pendingApprovals({ turn }: Pick<SessionState, "turn">): PendingApproval[] {
  if (!turn || turn.aborted) return [];
  return turn.calls.flatMap((c) => {
    if (c.result || !c.approval || c.approval.approved !== undefined) return [];
    const { approved: _approved, reason: _reason, by: _by, ...pending } = c.approval;
    return [pending];
  });
}

/** Two calls with the same key ask for the same thing. */
export function callKey(call: Pick<ToolCallEvent, "toolName" | "input">): string {
  return `${call.toolName} ${JSON.stringify(call.input)}`;
}
