import type { ErrorJson } from "./errors.ts";
import type { Json } from "./json.ts";
import type { PermissionClass, ReplayClass, ToolOutput } from "./tool.ts";
import type { InputPart, TurnEndReason, WhenBusy } from "./turn.ts";

/** Version of the events below. A journal carries the version that wrote it; a reader accepts all older ones. */
export const JOURNAL_VERSION = 1;

/**
 * Where a durable event stands. `seq` counts from 1 in each session without a gap; `at` is in milliseconds since the
 * epoch. Deltas carry neither `seq` nor a promise to arrive: the durable event that ends them has the whole text.
 */
export interface Stamp {
  readonly session: string;
  readonly seq: number;
  readonly at: number;
}

/** A prompt was accepted. It waits for a turn, or joins the running one when `whenBusy` is `steer`. */
export interface InputEvent {
  readonly type: "input";
  readonly operationId: string;
  readonly parts: readonly InputPart[];
  readonly whenBusy: WhenBusy;
}

export interface TurnStartEvent {
  readonly type: "turn-start";
  readonly turn: number;
  readonly operationIds: readonly string[];
  readonly engine: string;
  readonly model: string;
  /** Root hash of the tree before the turn. */
  readonly tree: string;
}

/** A model call is about to be made. `attempt` counts from 1; more than 1 means that a call was cut off and is repeated. */
export interface StepStartEvent {
  readonly type: "step-start";
  readonly turn: number;
  readonly step: number;
  readonly attempt: number;
}

export interface TextDelta {
  readonly type: "text-delta";
  readonly turn: number;
  readonly step: number;
  /** Distinguishes blocks of text within a step. */
  readonly id: string;
  readonly text: string;
}

export interface ReasoningDelta {
  readonly type: "reasoning-delta";
  readonly turn: number;
  readonly step: number;
  readonly id: string;
  readonly text: string;
}

/** A piece of a tool call's arguments while the model writes them, as raw JSON text. */
export interface ToolInputDelta {
  readonly type: "tool-input-delta";
  readonly turn: number;
  readonly step: number;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly text: string;
}

/** A call that a committed step asks for. It runs only after this event is durable. */
export interface ToolCallEvent {
  readonly type: "tool-call";
  readonly turn: number;
  readonly step: number;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: Json;
  readonly replay: ReplayClass;
  readonly permission: PermissionClass;
  /** Set when the call cannot run: an unknown tool, arguments that are not JSON or miss the schema. */
  readonly invalid?: ErrorJson;
}

/** The first effect of a call outside the tree. From here on the call is `unsafe`, or `keyed` when `key` is given. */
export interface EffectEvent {
  readonly type: "effect";
  readonly turn: number;
  readonly toolCallId: string;
  readonly kind: "network" | "process";
  readonly target: string;
  readonly key?: string;
}

/** Output of a call that still runs. */
export interface ToolOutputDelta {
  readonly type: "tool-output-delta";
  readonly turn: number;
  readonly toolCallId: string;
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

/** The one result of a call, committed together with its tree changes. */
export interface ToolResultEvent {
  readonly type: "tool-result";
  readonly turn: number;
  readonly step: number;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly status: "ok" | "error" | "denied" | "interrupted";
  readonly output: ToolOutput;
  readonly durationMs: number;
  /** Root hash of the tree after the call. */
  readonly tree: string;
  /** Files whose content the model knows by this call: SHA-256 of it in hex, by tree path. */
  readonly seen?: Readonly<Record<string, string>>;
}

/** A file that a call changed. Hashes are SHA-256 of the content in hex. */
export interface FileChangeEvent {
  readonly type: "file-change";
  readonly turn: number;
  readonly toolCallId: string;
  readonly path: string;
  readonly change: "create" | "modify" | "delete";
  readonly before?: string;
  readonly after?: string;
}

export interface ApprovalRequestEvent {
  readonly type: "approval-request";
  readonly turn: number;
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly permission: PermissionClass;
  readonly detail: string;
  /** SHA-256 in hex of the call's arguments. A grant counts for these only. */
  readonly inputHash: string;
  /** Milliseconds since the epoch, from when on it counts as refused; absent means that it waits for ever. */
  readonly expiresAt?: number;
}

export interface ApprovalAnswerEvent {
  readonly type: "approval-answer";
  readonly turn: number;
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly approved: boolean;
  readonly reason?: string;
  readonly by: "person" | "expiry" | "abort";
}

/** A call went on in a costlier tier. */
export interface EscalationEvent {
  readonly type: "escalation";
  readonly turn: number;
  readonly toolCallId: string;
  readonly executor: string;
  readonly reason: string;
  readonly durationMs: number;
  /** Estimated cost in US dollars; absent when it is not known. */
  readonly usd?: number;
}

/**
 * Something that a preview said: it can be opened, it broke, it logged. A `browser-error` is in the words of a page, which
 * whoever has the link can make up: not to be trusted more than a page of the web.
 */
export interface PreviewEvent {
  readonly type: "preview";
  readonly turn?: number;
  readonly tree: string;
  readonly kind: "ready" | "build-error" | "exception" | "console" | "request" | "browser-error";
  readonly url?: string;
  readonly detail?: Json;
}

/** What one model call used, as the provider counts. `inputTokens` includes the cached ones. */
export interface UsageEvent {
  readonly type: "usage";
  readonly turn: number;
  readonly step: number;
  readonly model: string;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  /** US dollars by the price table; absent when the model's price is not known. */
  readonly usd?: number;
  /** The provider reported no usage; the figures are estimated from sizes. */
  readonly estimated?: boolean;
  /** This call repeats one that was cut off and may have been billed. */
  readonly rebilled?: boolean;
}

/**
 * A Dynamic Worker was loaded that is billed anew, which is once a day. `requests` are those to all of the session's since the
 * event before, as far as they are known: a crash forgets some. Without what a plan includes, and without CPU time.
 */
export interface WorkerUsageEvent {
  readonly type: "worker-usage";
  /** Its id. */
  readonly worker: string;
  readonly requests: number;
  readonly usd: number;
}

/** Older messages were replaced, for the model only, by a summary. The events before stay. */
export interface CompactionEvent {
  readonly type: "compaction";
  /** The summary stands for every message up to and including this `seq`. */
  readonly throughSeq: number;
  readonly summary: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** What the model said, in its order. The calls themselves are the `tool-call` events of the same step. */
export type StepContent =
  | { readonly type: "text"; readonly text: string; readonly providerMetadata?: Json }
  | { readonly type: "reasoning"; readonly text: string; readonly providerMetadata?: Json }
  | { readonly type: "tool-call"; readonly toolCallId: string; readonly providerMetadata?: Json };

/** A model call ended and is committed, together with its `tool-call` and `usage` events. */
export interface StepEndEvent {
  readonly type: "step-end";
  readonly turn: number;
  readonly step: number;
  readonly content: readonly StepContent[];
  /** As the provider said; informative only, the loop goes on when there are tool calls. */
  readonly finishReason: string;
  readonly durationMs: number;
}

export interface TurnEndEvent {
  readonly type: "turn-end";
  readonly turn: number;
  readonly reason: TurnEndReason;
  /** The model's last text when `done`, else a sentence for the user about what stopped the turn. */
  readonly text: string;
  /** Root hash of the tree after the turn. */
  readonly tree: string;
}

/** A person asked to stop one operation, or all. */
export interface AbortEvent {
  readonly type: "abort";
  readonly operationId?: string;
}

/** The session's title or model was set; from the next turn on, `model` is used. */
export interface SessionChangeEvent {
  readonly type: "session-change";
  readonly title?: string;
  readonly model?: string;
}

/** The conversation starts anew: what came before is no longer sent to the model. */
export interface ResetEvent {
  readonly type: "reset";
  readonly handoff?: string;
}

/**
 * The session went back to an earlier moment, files included. The events between `toSeq` and this one stay in the journal
 * and do not count any more; only what they cost does. A later undo may go back to one of them, so that they count again.
 */
export interface UndoEvent {
  readonly type: "undo";
  /** The newest earlier event that counts; 0 when none does. */
  readonly toSeq: number;
  /** Root hashes of the tree before and after it. */
  readonly fromTree: string;
  readonly tree: string;
}

/** Something went wrong that is not a tool's result. The turn goes on, or a `turn-end` follows. */
export interface ErrorEvent {
  readonly type: "error";
  readonly turn?: number;
  readonly error: ErrorJson;
}

/** A line of an engine's own stream that has no counterpart here. */
export interface RawEvent {
  readonly type: "raw";
  readonly turn: number;
  readonly engine: string;
  readonly value: Json;
}

/** What a journal stores. */
export type DurableEventBody =
  | InputEvent
  | TurnStartEvent
  | StepStartEvent
  | ToolCallEvent
  | EffectEvent
  | ToolResultEvent
  | FileChangeEvent
  | ApprovalRequestEvent
  | ApprovalAnswerEvent
  | EscalationEvent
  | PreviewEvent
  | UsageEvent
  | WorkerUsageEvent
  | CompactionEvent
  | StepEndEvent
  | TurnEndEvent
  | AbortEvent
  | SessionChangeEvent
  | ResetEvent
  | UndoEvent
  | ErrorEvent
  | RawEvent;

/** What is only passed on while it happens. */
export type DeltaEvent = TextDelta | ReasoningDelta | ToolInputDelta | ToolOutputDelta;

export type DurableEvent = DurableEventBody & Stamp;

/** A delta on its way to a watcher. `offset` is where its text begins in the block's text, in UTF-16 units. */
export type StreamedDelta = DeltaEvent & { readonly session: string; readonly offset: number };
export type TenrecEvent = DurableEvent | StreamedDelta;
export type TenrecEventType = TenrecEvent["type"];

/** True for an event that has its place in a journal. */
export function isDurable(event: TenrecEvent): event is DurableEvent {
  return "seq" in event;
}
