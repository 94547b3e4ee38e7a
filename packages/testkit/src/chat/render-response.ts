import type { Json } from "@tenrec/protocol";
import type { Head, WholeAnswer } from "../wire/wire.ts";
import { textOf } from "../wire/wire.ts";
import { chatReason, chatUsage } from "./form.ts";

/** An answer of Chat Completions in one piece. */
export function renderResponse(answer: WholeAnswer, { usage, ...head }: Head): Json {
  const calls = answer.content.flatMap((part) =>
    part.type === "call"
      ? [{ id: part.id, type: "function", function: { name: part.tool, arguments: part.input } }]
      : [],
  );
  const reasoning = textOf(answer, "reasoning");
  const message = {
    role: "assistant",
    content: answer.content.some(({ type }) => type === "text") ? textOf(answer, "text") : null,
    ...(reasoning ? { reasoning_content: reasoning } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const choices = [{ index: 0, message, finish_reason: chatReason(answer.reason) }];
  return { ...head, object: "chat.completion", choices, ...(usage ? { usage: chatUsage(usage) } : {}) };
}
