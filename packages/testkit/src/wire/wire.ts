import type { Json } from "@tenrec/protocol";
import type { Conversation } from "../script/conversation.ts";
import type { PromptBlock } from "../script/estimate-usage.ts";
import type { Play } from "../script/play.ts";
import type { ErrorPart, ScriptUsage } from "../script/script.ts";

/** One wire format: how requests are read, and how answers and errors look. Which step answers and what fails is not its matter. */
export interface Wire {
  /** Reads a request body. Throws a `Refusal` naming the field that is not as the provider documents it. */
  read(body: unknown): WireRequest;
  /** The body of a failed request. */
  error(error: Failure): Json;
}

export type Failure = Pick<ErrorPart["error"], "message" | "code"> & { readonly status: number };

/** A request as far as a script needs it. */
export interface WireRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly conversation: Conversation;
  /** What the prompt cache sees of it. */
  readonly blocks: readonly PromptBlock[];
  /** Begins a streamed answer. */
  render(head: Head): Rendering;
  /** A complete answer as one body. */
  whole(answer: WholeAnswer, head: Head): Json;
}

/** What every message of one answer says about itself. */
export interface Head {
  readonly id: string;
  readonly model: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly usage: ScriptUsage | undefined;
}

/** A stream of one wire format, as the text of its events. */
export interface Rendering {
  /** What comes before the first part. */
  open(): string;
  next(play: Spoken): string;
}

/** What has a form of its own in each wire format. */
export type Spoken = Exclude<Play, { type: "cut" | "raw" }>;

export interface WholeAnswer {
  readonly content: readonly Content[];
  readonly reason: string;
}

export type Content =
  | { readonly type: "text" | "reasoning"; readonly text: string }
  | { readonly type: "call"; readonly id: string; readonly tool: string; readonly input: string };

/** A server-sent event. Only some providers name theirs. */
export function frame(data: Json, event?: string): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** All text of one kind in an answer. */
export function textOf(answer: WholeAnswer, type: "text" | "reasoning"): string {
  return answer.content.map((part) => (part.type === type ? part.text : "")).join("");
}
