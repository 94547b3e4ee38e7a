import type { Json } from "@tenrec/protocol";
import { hash } from "../script/hash.ts";
import type { ScriptUsage } from "../script/script.ts";
import type { Content, Head } from "../wire/wire.ts";

type Status = "in_progress" | "completed" | "incomplete" | "failed";

/** An output item. In progress it has no content yet. */
export function itemForm(id: string, said: Content, status: "in_progress" | "completed", encrypted: boolean): Json {
  const done = status === "completed";
  switch (said.type) {
    case "text": {
      const content = done ? [{ type: "output_text", text: said.text, annotations: [] }] : [];
      return { id, type: "message", status, role: "assistant", content };
    }
    case "reasoning": {
      const summary = done ? [{ type: "summary_text", text: said.text }] : [];
      // What it holds is the provider's business; that it comes back is what a test can look at.
      return { id, type: "reasoning", summary, ...(encrypted ? { encrypted_content: `enc_${hash(said.text)}` } : {}) };
    }
    case "call": {
      const call = { call_id: said.id, name: said.tool, arguments: done ? said.input : "" };
      return { id, type: "function_call", status, ...call };
    }
  }
}

/** The response object, which a stream repeats at its start and its end. */
export function responseForm(head: Head, status: Status, output: readonly Json[], more: object = {}): Json {
  const { id, model, created } = head;
  const usage = head.usage && status !== "in_progress" ? usageForm(head.usage) : null;
  const rest = { error: null, incomplete_details: null, ...more };
  return { id, object: "response", created_at: created, status, model, output: [...output], usage, ...rest };
}

/** The status of a finished answer, and why it is not complete. */
export function ending(reason: string): { readonly status: Status; readonly more: object } {
  const details: Readonly<Record<string, string>> = { length: "max_output_tokens", "content-filter": "content_filter" };
  const known = details[reason];
  if (known !== undefined) return { status: "incomplete", more: { incomplete_details: { reason: known } } };
  return { status: "completed", more: {} };
}

export function itemId(head: Head, type: Content["type"], index: number): string {
  const prefixes = { text: "msg", reasoning: "rs", call: "fc" };
  return `${prefixes[type]}_${head.id.replace("resp_", "")}_${index}`;
}

function usageForm(usage: ScriptUsage): Json {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: usage.cachedInputTokens },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}
