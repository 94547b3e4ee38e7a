import type { Json } from "@tenrec/protocol";
import type { Head, Rendering, Spoken } from "../wire/wire.ts";
import { frame } from "../wire/wire.ts";
import { errorForm, messageForm, outputForm, signatureOf, stopReason, usageForm } from "./form.ts";

/** An answer as server-sent events of Anthropic Messages. */
export function anthropicRendering(head: Head): Rendering {
  let index = -1;
  let thinking = "";

  const delta = (fields: Json): string => event("content_block_delta", { index, delta: fields });
  const start = (block: Json): string => {
    index += 1;
    thinking = "";
    const started = event("content_block_start", { index, content_block: block });
    return index === 0 ? started + event("ping", {}) : started;
  };
  const stop = (): string => event("content_block_stop", { index });

  return {
    open: () => event("message_start", { message: messageForm(head, [], null, usageForm(head.usage, 1)) }),
    next(play: Spoken) {
      switch (play.type) {
        case "start":
          if (play.part === "text") return start({ type: "text", text: "" });
          return start({ type: "thinking", thinking: "", signature: "" });
        case "call-start":
          return start({ type: "tool_use", id: play.id, name: play.tool, input: {} });
        case "delta":
          if (play.part === "text") return delta({ type: "text_delta", text: play.text });
          thinking += play.text;
          return delta({ type: "thinking_delta", thinking: play.text });
        case "call-delta":
          return delta({ type: "input_json_delta", partial_json: play.text });
        case "end":
          if (play.part === "text") return stop();
          return delta({ type: "signature_delta", signature: signatureOf(thinking) }) + stop();
        case "call-end":
          return stop();
        case "error":
          return event("error", errorForm({ ...play.error, status: play.error.status ?? 500 }));
        case "finish": {
          const ended = { stop_reason: stopReason(play.reason), stop_sequence: null };
          return event("message_delta", { delta: ended, usage: outputForm(head.usage) }) + event("message_stop", {});
        }
      }
    },
  };
}

function event(type: string, fields: { readonly [name: string]: Json }): string {
  return frame({ type, ...fields }, type);
}
