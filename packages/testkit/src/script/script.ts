import type { Json } from "@tenrec/protocol";

/** What a scripted model says, as plain JSON. The README has a table of the format. */
export interface Script {
  /** The name under which a server offers it, and the `modelId` of the model. */
  readonly model: string;
  readonly steps: readonly ScriptStep[];
  /** Milliseconds before each delta, to make streaming visible; default 0. */
  readonly pace?: number;
}

/** The answer to one model call. */
export interface ScriptStep {
  readonly when?: Condition;
  readonly say: readonly ScriptPart[];
  /** Figures to report instead of the estimated ones. `null`: the provider reports no usage at all. */
  readonly usage?: Partial<ScriptUsage> | null;
  /** Default: `tool-calls` beside a call, else `stop`. May lie, as some providers do. */
  readonly finishReason?: string;
}

/**
 * `prompt` opens a section: it and the steps after it answer from a user message that contains the text on.
 * `result` makes the step an alternative to the next step without a condition, taken when one of the tool results since
 * the last answer has all that is asked for.
 */
export type Condition = { readonly prompt: PromptCondition } | { readonly result: ResultCondition };

export interface PromptCondition {
  /** Default: any text. */
  readonly includes?: string;
  /** How the media type of a file in the prompt starts, such as `image/`. */
  readonly media?: string;
}

export interface ResultCondition {
  readonly tool?: string;
  readonly includes?: string;
  /** Only Anthropic Messages has a field for it: asking for it behind another wire format is an error. */
  readonly isError?: boolean;
  /** As with a prompt. */
  readonly media?: string;
}

export type ScriptPart = TextPart | ReasoningPart | CallPart | RawCallPart | DelayPart | FaultPart;

export interface TextPart {
  readonly text: string;
}

export interface ReasoningPart {
  readonly reasoning: string;
}

export interface CallPart {
  /** The tool's name. */
  readonly call: string;
  readonly input: Json;
  /** Default: one derived from the conversation, so the same for a repeated call and unlike any other. */
  readonly id?: string;
}

/** A call whose arguments are sent as they stand, for instance because they are not JSON. */
export interface RawCallPart {
  readonly call: string;
  readonly rawInput: string;
  readonly id?: string;
}

export interface DelayPart {
  /** Milliseconds of silence. */
  readonly delay: number;
}

/** What goes wrong. Before any content it takes the place of the answer, later it breaks into one. */
export type FaultPart = ErrorPart | CutPart | StallPart | RawPart;

interface Times {
  /** Only so many calls with one and the same conversation meet the fault, later ones do not; default: all of them. */
  readonly times?: number;
}

/** The provider says that it failed: with a status, or after some content with an event in the stream. */
export interface ErrorPart {
  readonly error: Times & {
    /** Default 500. */
    readonly status?: number;
    readonly message: string;
    /** As the provider names it; default: what it says for the status. For Workers AI a number in digits. */
    readonly code?: string;
    /** Seconds, sent as the header `retry-after`. */
    readonly retryAfter?: number;
    /** Send that header as an HTTP date instead. */
    readonly retryAfterDate?: boolean;
    /** As the first part too, say it in a stream that began with status 200. */
    readonly inStream?: boolean;
  };
}

/**
 * The connection breaks in the middle of the part before it; as the first part, before any answer. `clean`: it is not the
 * connection that breaks, the answer just ends there.
 */
export interface CutPart extends Times {
  readonly cut: true | "clean";
}

/** Silence in the middle of the part before it, until the client goes away; as the first part, instead of an answer. */
export interface StallPart extends Times {
  readonly stall: true;
}

/** Bytes that are no answer: as the first part the whole response, later something between the events of a stream. */
export interface RawPart extends Times {
  readonly raw: string;
  /** Default 200. */
  readonly status?: number;
  /** Default: that of a proper answer. */
  readonly contentType?: string;
}

/** What a call used. `inputTokens` includes the cached ones, `outputTokens` those of reasoning. */
export interface ScriptUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}
