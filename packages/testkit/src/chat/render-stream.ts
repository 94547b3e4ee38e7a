import type { Json } from "@tenrec/protocol";
import type { Head, Rendering, Spoken } from "../wire/wire.ts";
import { frame } from "../wire/wire.ts";
import { chatReason, chatUsage, openAIError } from "./form.ts";

/** An answer as server-sent events of Chat Completions. */
export function chatRendering({ usage, ...head }: Head, includeUsage: boolean): Rendering {
  const chunk = (choices: Json, more?: { readonly usage: Json }): string =>
    frame({ ...head, object: "chat.completion.chunk", choices, ...more });
  const choice = (delta: Json, reason: string | null = null): Json => [{ index: 0, delta, finish_reason: reason }];
  return {
    open: () => chunk(choice({ role: "assistant", content: "" })),
    next(play) {
      if (play.type === "error") return frame(openAIError({ ...play.error, status: play.error.status ?? 500 }));
      if (play.type === "finish") {
        const last = chunk(choice({}, chatReason(play.reason)));
        const figures = includeUsage && usage ? chunk([], { usage: chatUsage(usage) }) : "";
        return `${last}${figures}data: [DONE]\n\n`;
      }
      const delta = deltaOf(play);
      return delta === undefined ? "" : chunk(choice(delta));
    },
  };
}

function deltaOf(play: Spoken): Json | undefined {
  switch (play.type) {
    case "delta":
      return play.part === "text" ? { content: play.text } : { reasoning_content: play.text };
    case "call-start": {
      const { call: index, id, tool: name } = play;
      return { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] };
    }
    case "call-delta":
      return { tool_calls: [{ index: play.call, function: { arguments: play.text } }] };
    default:
      return undefined;
  }
}
