import { callInput } from "./call-input.ts";
import type { Conversation, SeenMessage } from "./conversation.ts";
import type { ScriptPart, ScriptStep, ScriptUsage } from "./script.ts";

/** What a file in a prompt counts, whatever its size. */
export const MEDIA_TOKENS = 1000;

/** A part of what is sent that a prompt cache can end after. */
export interface PromptBlock {
  /** Two blocks with one key are the same. */
  readonly key: string;
  readonly tokens: number;
  /** The client asks to cache all up to here. */
  readonly marked: boolean;
}

/** How much of a prompt came from the cache, and how much went into it. In tokens. */
export interface CacheShare {
  /** All of the prompt. */
  readonly sent: number;
  readonly read: number;
  readonly write: number;
}

/**
 * What a provider would bill, at about four characters a token. Without `share`, all that the previous call had already
 * sent counts as cached. `undefined` when the step says that nothing is reported.
 */
export function estimateUsage(
  step: ScriptStep,
  conversation: Conversation,
  share: CacheShare | undefined,
): ScriptUsage | undefined {
  if (step.usage === null) return undefined;
  const blocks = promptBlocks(conversation);
  const answered = conversation.messages.findLastIndex((message) => message.role === "assistant");
  const inputTokens = share?.sent ?? sum(blocks);
  const sentBefore = answered < 0 ? 0 : sum(blocks.slice(0, blocks.length - conversation.messages.length + answered));
  const reasoningTokens = total(step.say.map((part) => ("reasoning" in part ? tokens(part.reasoning) : 0)));
  const usage = {
    inputTokens,
    cachedInputTokens: share?.read ?? sentBefore,
    cacheWriteTokens: share?.write ?? 0,
    outputTokens: reasoningTokens + total(step.say.map((part) => tokens(answerText(part)))),
    reasoningTokens,
    ...step.usage,
  };
  // When only some are given, the others must still fit.
  const cachedInputTokens = Math.min(usage.inputTokens, usage.cachedInputTokens);
  const cacheWriteTokens = Math.min(usage.inputTokens - cachedInputTokens, usage.cacheWriteTokens);
  return { ...usage, cachedInputTokens, cacheWriteTokens };
}

/** What is sent, in the order in which providers cache it. All of it is marked: that is what caching without being asked is. */
export function promptBlocks({ tools, system, messages }: Conversation): readonly PromptBlock[] {
  const head = [tools, system].map((text) => ({ key: text, tokens: tokens(text), marked: true }));
  return [
    ...head,
    ...messages.map((message) => ({ key: JSON.stringify(message), tokens: sizeOf(message), marked: true })),
  ];
}

/** About how many tokens a text has. */
export function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}

function sum(blocks: readonly PromptBlock[]): number {
  return total(blocks.map((block) => block.tokens));
}

function total(values: readonly number[]): number {
  return values.reduce((before, value) => before + value, 0);
}

function sizeOf(message: SeenMessage): number {
  if (message.role !== "assistant") return tokens(message.text) + (message.media ?? []).length * MEDIA_TOKENS;
  return tokens(message.text + message.calls.map((call) => call.tool + call.input).join(""));
}

function answerText(part: ScriptPart): string {
  if ("text" in part) return part.text;
  if ("call" in part) return part.call + callInput(part);
  return "";
}
