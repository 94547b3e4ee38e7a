import type { Json } from "@tenrec/protocol";
import type { ScriptUsage } from "../script/script.ts";
import type { Failure } from "../wire/wire.ts";

const CODES: Readonly<Record<number, string>> = {
  401: "invalid_api_key",
  404: "model_not_found",
  429: "rate_limit_exceeded",
};

/** The body of a failed request, and what a broken stream of Chat Completions sends last. */
export function openAIError({ status, message, code }: Failure): Json {
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  return { error: { message, type, param: null, code: code ?? CODES[status] ?? null } };
}

export function chatReason(reason: string): string {
  if (reason === "tool-calls") return "tool_calls";
  return reason === "content-filter" ? "content_filter" : reason;
}

export function chatUsage(usage: ScriptUsage): Json {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedInputTokens },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };
}
