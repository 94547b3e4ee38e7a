import type { DeltaEvent, DurableEventBody, Json, StepContent, ToolCallEvent, UsageEvent } from "@tenrec/protocol";
import { errorJson, TenrecError } from "@tenrec/protocol";
import type { CodingTools } from "@tenrec/tools";
import type { LanguageModelStreamPart, LanguageModelUsage, ModelMessage } from "ai";
import { InvalidToolInputError, NoSuchToolError } from "ai";
import type { Price } from "./prices.ts";
import { cost } from "./prices.ts";
import { UNDECLARED_TRAITS } from "./tool-traits.ts";

/** What a step was asked for, as far as its events need it. */
export interface StepRequest {
  /** The model's name as configured; stands in the usage event. */
  readonly modelName: string;
  readonly price: Price | undefined;
  readonly instructions: string;
  readonly messages: ModelMessage[];
  readonly tools: CodingTools;
  /** Ids of earlier calls of the session. */
  readonly takenIds: ReadonlySet<string>;
  readonly turn: number;
  readonly step: number;
  /** The call repeats one that was cut off. */
  readonly rebilled: boolean;
  readonly onDelta: (delta: DeltaEvent) => void;
}

/** Roughly how many bytes of English or code make a token; for providers that report no usage. */
const BYTES_PER_TOKEN = 4;

/** About what providers count for an image, in tokens, where its Base64 would be counted as text. */
const FILE_TOKENS = 1500;

/** About how many tokens something has as JSON. */
function estimated(value: unknown): number {
  const text = JSON.stringify(value, (key, part: unknown) =>
    key === "data" && typeof part === "string" ? part.slice(0, FILE_TOKENS * BYTES_PER_TOKEN) : part,
  );
  return Math.ceil(text.length / BYTES_PER_TOKEN);
}

/**
 * An answer that no provider package calls an error: it says nothing, as what some servers send that are no model's; it
 * stops short; or it says itself that it failed.
 */
export class BadAnswer extends Error {
  readonly kind: "empty" | "unfinished" | "failed";

  constructor(kind: BadAnswer["kind"]) {
    super(`the answer is ${kind}`);
    this.kind = kind;
  }
}

/** Collects a stream into the events of one step, and passes on its deltas. */
export class StepBuilder {
  readonly #request: StepRequest;
  readonly #content: StepContent[] = [];
  readonly #blocks = new Map<string, number>();
  readonly #calls: ToolCallEvent[] = [];
  readonly #names = new Map<string, string>();
  #usage: LanguageModelUsage | undefined;
  #finishReason: string | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(request: StepRequest) {
    this.#request = request;
  }

  add(part: LanguageModelStreamPart): void {
    const { turn, step, onDelta } = this.#request;
    switch (part.type) {
      case "text-delta":
      case "reasoning-delta":
        this.#addText(part.type === "text-delta" ? "text" : "reasoning", part.id, part.text);
        onDelta({ type: part.type, turn, step, id: part.id, text: part.text });
        break;
      case "text-end":
      case "reasoning-end":
        this.#setMetadata(part.type === "text-end" ? "text" : "reasoning", part.id, part.providerMetadata);
        break;
      case "tool-input-start":
        this.#names.set(part.id, part.toolName);
        break;
      case "tool-input-delta": {
        const toolName = this.#names.get(part.id) ?? "";
        onDelta({ type: "tool-input-delta", turn, step, toolCallId: part.id, toolName, text: part.delta });
        break;
      }
      case "tool-call":
        if (!part.providerExecuted) this.#addCall(part);
        break;
      case "model-call-end":
        this.#usage = part.usage;
        this.#finishReason = part.finishReason;
        break;
      case "error":
        this.#failure ??= { error: part.error };
        break;
      default:
        break;
    }
  }

  /** The events of the step, to be committed together. Throws when the stream ended too early. */
  finish(durationMs: number): DurableEventBody[] {
    const { turn, step } = this.#request;
    if (this.#failure) throw this.#failure.error;
    if (this.#finishReason === undefined || this.#finishReason === "interrupted") {
      throw new BadAnswer("unfinished");
    }
    if (this.#finishReason === "error") throw new BadAnswer("failed");
    // Reasoning alone is no answer.
    if (!this.#content.some((part) => part.type === "tool-call" || (part.type === "text" && part.text !== ""))) {
      throw new BadAnswer("empty");
    }
    const finishReason = this.#finishReason;
    return [
      ...this.#calls,
      this.usage(),
      { type: "step-end", turn, step, content: this.#content, finishReason, durationMs },
    ];
  }

  #addText(type: "text" | "reasoning", id: string, text: string): void {
    const key = `${type} ${id}`;
    const index = this.#blocks.get(key);
    const block = index === undefined ? undefined : this.#content[index];
    if (index !== undefined && block && block.type !== "tool-call") {
      this.#content[index] = { ...block, text: block.text + text };
    } else {
      this.#blocks.set(key, this.#content.length);
      this.#content.push({ type, text });
    }
  }

  #setMetadata(type: "text" | "reasoning", id: string, metadata: unknown): void {
    if (metadata === undefined) return;
    // A reasoning block may have no text and still carry the signature that the provider wants back.
    if (!this.#blocks.has(`${type} ${id}`)) this.#addText(type, id, "");
    const index = this.#blocks.get(`${type} ${id}`) ?? 0;
    const block = this.#content[index];
    if (block) this.#content[index] = { ...block, providerMetadata: metadata as Json };
  }

  #addCall(part: Extract<LanguageModelStreamPart, { type: "tool-call" }>): void {
    const { turn, step, tools } = this.#request;
    const { toolName } = part;
    const traits = (Object.hasOwn(tools, toolName) ? tools[toolName]?.traits : undefined) ?? UNDECLARED_TRAITS;
    const toolCallId = this.#freshId(part.toolCallId);
    const metadata = part.providerMetadata;
    this.#content.push({
      type: "tool-call",
      toolCallId,
      ...(metadata === undefined ? {} : { providerMetadata: metadata as Json }),
    });
    this.#calls.push({
      type: "tool-call",
      turn,
      step,
      toolCallId,
      toolName,
      input: (part.input ?? {}) as Json,
      ...traits,
      ...(part.invalid ? { invalid: invalidCall(toolName, part.error, Object.keys(tools)) } : {}),
    });
  }

  /** Some models give every call the same id, or none; results, saved outputs and executors go by it. */
  #freshId(id: string): string {
    const { turn, step, takenIds } = this.#request;
    const isTaken = (wanted: string): boolean =>
      takenIds.has(wanted) || this.#calls.some((call) => call.toolCallId === wanted);
    const base = id || `call-${turn}-${step}`;
    let fresh = base;
    for (let n = 2; isTaken(fresh); n += 1) fresh = `${base}-${n}`;
    return fresh;
  }

  /** What the call used; by estimate until the provider has said so. */
  usage(): UsageEvent {
    const { turn, step, modelName, price, messages, instructions, rebilled } = this.#request;
    // A provider that reports nothing is passed on as undefined, or as 0.
    const usage = this.#usage?.inputTokens ? this.#usage : undefined;
    const tokens = {
      inputTokens: usage?.inputTokens ?? estimated([instructions, messages]),
      outputTokens: usage?.outputTokens ?? estimated([this.#content, this.#calls.map((call) => call.input)]),
      ...detailsOf(usage),
    };
    const usd = cost(price, tokens);
    return {
      type: "usage",
      turn,
      step,
      model: modelName,
      ...tokens,
      ...(usd === undefined ? {} : { usd }),
      ...(usage ? {} : { estimated: true }),
      ...(rebilled ? { rebilled } : {}),
    };
  }
}

function detailsOf(
  usage: LanguageModelUsage | undefined,
): Pick<UsageEvent, "cachedInputTokens" | "cacheWriteTokens" | "reasoningTokens"> {
  return {
    cachedInputTokens: usage?.inputTokenDetails.cacheReadTokens ?? 0,
    cacheWriteTokens: usage?.inputTokenDetails.cacheWriteTokens ?? 0,
    reasoningTokens: usage?.outputTokenDetails.reasoningTokens ?? 0,
  };
}

function invalidCall(tool: string, error: unknown, known: readonly string[]): NonNullable<ToolCallEvent["invalid"]> {
  if (NoSuchToolError.isInstance(error)) return errorJson(new TenrecError("tool-unknown", { tool, known }));
  const cause = InvalidToolInputError.isInstance(error) ? error.cause : error;
  const text = cause instanceof Error ? cause.message : String(cause);
  return errorJson(new TenrecError("tool-input-invalid", { tool, reason: text.slice(0, 1000) }));
}
