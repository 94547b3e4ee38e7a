import type { ModelMessage, SystemModelMessage } from "ai";

/** Asks Anthropic to keep everything up to here; other providers take no notice, and cache by themselves. */
const MARKER = { anthropic: { cacheControl: { type: "ephemeral" } } } as const;

/**
 * Marks what stays the same: the end of the system prompt (with it the tools, which come before), the end of the
 * conversation, which the next step will send again with more behind it, and the place where the request before this one
 * ended. Without the last one a step of many parallel calls would lose the cache: an entry is looked for only 20 blocks
 * before a mark, and each call and each result is a block. Three of the four markers that Anthropic allows.
 */
export function withCacheMarkers(
  instructions: string,
  messages: readonly ModelMessage[],
): { instructions: SystemModelMessage; messages: ModelMessage[] } {
  const answered = messages.findLastIndex(({ role }) => role === "assistant");
  const marked = new Set([messages.length - 1, answered - 1]);
  return {
    instructions: { role: "system", content: instructions, providerOptions: MARKER },
    messages: messages.map((message, index) => (marked.has(index) ? marking(message) : message)),
  };
}

function marking(message: ModelMessage): ModelMessage {
  const { providerOptions } = message;
  const anthropic = { ...providerOptions?.["anthropic"], ...MARKER.anthropic };
  return { ...message, providerOptions: { ...providerOptions, anthropic } };
}
