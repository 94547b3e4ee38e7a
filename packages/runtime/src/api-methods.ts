import type {
  ApprovalAnswer,
  DurableEvent,
  FileDiff,
  InputPart,
  OperationStatus,
  PendingApproval,
  Receipt,
  SessionInfo,
  SessionPoint,
  SessionSnapshot,
  SpentByScope,
  SubmitOptions,
  Undone,
  UndoOptions,
} from "@tenrec/protocol";
import type { Usage } from "@tenrec/vfs";
import type { FileInfo, FileText } from "./files.ts";
import type { PreviewLink } from "./preview/preview-links.ts";

interface SubmitParams extends SubmitOptions {
  readonly session: string;
  readonly input: string | readonly InputPart[];
}

/** What a client can ask an agent, by name: the parameters as JSON, and what comes back. */
export interface AgentApi {
  "sessions.create": [params: { title?: string; id?: string; filesFrom?: string | null }, result: SessionInfo];
  /** `at` is a moment of `from`; without it, all that it has settled. */
  "sessions.fork": [params: { from: string; at?: SessionPoint }, result: SessionInfo];
  "sessions.delete": [params: { session: string }, result: null];
  "sessions.undo": [params: { session: string; to: SessionPoint } & UndoOptions, result: Undone];
  "sessions.list": [params: Record<string, never>, result: SessionInfo[]];
  "sessions.get": [params: { session: string }, result: SessionInfo];
  "sessions.change": [params: { session: string; title?: string; model?: string }, result: SessionInfo];
  "sessions.reset": [params: { session: string; handoff?: string }, result: null];
  "sessions.snapshot": [params: { session: string }, result: SessionSnapshot];
  submit: [params: SubmitParams, result: Receipt];
  status: [params: { session: string; operationId: string }, result: OperationStatus];
  /** Answers when the operation is settled or waits, or as it is after `timeoutMs`: 25 s by default, 30 s at most. */
  wait: [params: { session: string; operationId: string; timeoutMs?: number }, result: OperationStatus];
  abort: [params: { session: string; operationId?: string }, result: boolean];
  answer: [params: ApprovalAnswer & { session: string; approvalId: string }, result: null];
  /** What counts against the caps: of the turn under way, of the session, and of the whole workspace. */
  spent: [params: { session: string }, result: SpentByScope];
  pending: [params: { session: string }, result: PendingApproval[]];
  history: [params: { session: string; after?: number; limit?: number }, result: DurableEvent[]];
  "files.list": [params: { session: string }, result: FileInfo[]];
  "files.read": [params: { session: string; path: string }, result: FileText];
  /** What a turn changed, or, without one, everything since the session's first turn began. */
  "files.diff": [params: { session: string; turn?: number }, result: FileDiff[]];
  /** The object's part of a link to a preview, which `GET preview-link` makes an address of. */
  "previews.open": [params: { session: string; turn?: number }, result: PreviewLink];
  /** How many links are no more: of the files after a turn, or, without one, all of the session. */
  "previews.revoke": [params: { session: string; turn?: number }, result: number];
  /** What the workspace stores, over all sessions and all of history. */
  "files.usage": [params: Record<string, never>, result: Usage];
}

export type ApiMethod = keyof AgentApi;

/** What a method does to the workspace. Those who only watch may use the ones that read. */
export const API_ACCESS: { readonly [M in ApiMethod]: "read" | "write" } = {
  "sessions.create": "write",
  "sessions.fork": "write",
  "sessions.list": "read",
  "sessions.get": "read",
  "sessions.change": "write",
  "sessions.reset": "write",
  "sessions.delete": "write",
  "sessions.undo": "write",
  "sessions.snapshot": "read",
  submit: "write",
  status: "read",
  wait: "read",
  abort: "write",
  answer: "write",
  spent: "read",
  pending: "read",
  history: "read",
  "files.list": "read",
  "files.read": "read",
  "files.diff": "read",
  "previews.open": "read",
  "previews.revoke": "write",
  "files.usage": "read",
};
