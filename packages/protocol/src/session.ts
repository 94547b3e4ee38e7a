import type { ErrorJson } from "./errors.ts";
import type { TenrecEvent } from "./events.ts";
import type { PermissionClass } from "./tool.ts";
import type { TurnEndReason, WhenBusy } from "./turn.ts";

export interface SubmitOptions {
  /** Idempotency key, chosen by the caller. Default: a new random id. */
  readonly operationId?: string;
  /** Default: `followUp`. */
  readonly whenBusy?: WhenBusy;
}

export interface Receipt {
  readonly session: string;
  readonly operationId: string;
  /** False when this id was submitted before with the same input: nothing was queued again. */
  readonly accepted: boolean;
}

/** Where an operation is. `waiting` means that its turn is parked until an approval is answered. */
export type OperationStatus =
  | { readonly operationId: string; readonly status: "queued" | "running" }
  | { readonly operationId: string; readonly status: "waiting"; readonly approvalId: string }
  | { readonly operationId: string; readonly status: "done"; readonly text: string; readonly turn: number }
  | {
      readonly operationId: string;
      readonly status: "stopped";
      readonly reason: TurnEndReason;
      readonly message: string;
      readonly turn: number;
    };

export interface SessionInfo {
  readonly id: string;
  readonly title: string;
  /** The session it was forked from. */
  readonly parent?: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly state: "idle" | "running" | "waiting";
  /** `seq` of its newest durable event; 0 for none. */
  readonly lastSeq: number;
  readonly model: string;
  /** Root hash of its tree. */
  readonly tree: string;
}

/** A question that a person must answer before a tool call can go on. */
export interface PendingApproval {
  readonly approvalId: string;
  readonly session: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly permission: PermissionClass;
  readonly detail: string;
  readonly askedAt: number;
}

export interface ApprovalAnswer {
  readonly approved: boolean;
  /** Told to the model when the call is refused. */
  readonly reason?: string;
}

/** What `watch` sends first: where the session is. */
export interface SessionSnapshot {
  readonly session: SessionInfo;
  /** Those that are not settled, oldest first. */
  readonly operations: readonly OperationStatus[];
  readonly approvals: readonly PendingApproval[];
}

/**
 * A frame of a `watch`: the snapshot once, then durable events in order of `seq` with deltas between them. A watch that is
 * refused has one frame that says why.
 */
export type WatchFrame =
  | { readonly type: "snapshot"; readonly snapshot: SessionSnapshot }
  | { readonly type: "event"; readonly event: TenrecEvent }
  | { readonly type: "refusal"; readonly error: ErrorJson };

/** One file or link that differs between two trees. */
export interface FileDiff {
  readonly path: string;
  /** `rename` stands for the removal of `from` too, which is in no other diff. */
  readonly change: "create" | "modify" | "delete" | "rename";
  /** Where it was; with `rename` only. */
  readonly from?: string;
  readonly binary: boolean;
  /**
   * As `git diff -M` prints it, with three lines of context and without the line `index`; `git apply` takes it unless the
   * file is binary, which it notes. One line of text for a file that is too large to compare.
   */
  readonly patch: string;
  readonly added: number;
  readonly removed: number;
}
