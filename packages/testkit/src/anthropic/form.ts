import type { Json } from "@tenrec/protocol";
import { hash } from "../script/hash.ts";
import type { ScriptUsage } from "../script/script.ts";
import type { Failure, Head } from "../wire/wire.ts";

const TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/** The body of a failed request, and what a broken stream sends last. */
export function errorForm({ status, message, code }: Failure): { readonly [name: string]: Json } {
  const type = code ?? TYPES[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
  return { type: "error", error: { type, message } };
}

/** What a thinking block is signed with. It must come back as it was sent. */
export function signatureOf(thinking: string): string {
  return `sig_${hash(thinking)}`;
}

export function stopReason(reason: string): string {
  const reasons: Readonly<Record<string, string>> = {
    stop: "end_turn",
    "tool-calls": "tool_use",
    length: "max_tokens",
    "content-filter": "refusal",
  };
  return reasons[reason] ?? reason;
}

export function messageForm(head: Head, content: readonly Json[], reason: string | null, usage: Json): Json {
  const { id, model } = head;
  const rest = { content: [...content], stop_reason: reason, stop_sequence: null, usage };
  return { id: id.replace("resp_", "msg_"), type: "message", role: "assistant", model, ...rest };
}

/** `input_tokens` is what was neither read from the cache nor written to it. There is no way to leave usage out: then it is 0. */
export function usageForm(usage: ScriptUsage | undefined, outputTokens: number): { readonly [name: string]: Json } {
  const read = usage?.cachedInputTokens ?? 0;
  const written = usage?.cacheWriteTokens ?? 0;
  return {
    input_tokens: (usage?.inputTokens ?? 0) - read - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: outputTokens,
  };
}

export function outputForm(usage: ScriptUsage | undefined): { readonly [name: string]: Json } {
  const thinking = usage?.reasoningTokens ?? 0;
  return {
    ...usageForm(usage, usage?.outputTokens ?? 0),
    ...(thinking > 0 ? { output_tokens_details: { thinking_tokens: thinking } } : {}),
  };
}
