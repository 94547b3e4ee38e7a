import type { Json } from "@tenrec/protocol";
import type { Content, Head, WholeAnswer } from "../wire/wire.ts";
import { messageForm, outputForm, signatureOf, stopReason } from "./form.ts";

/** An answer of Anthropic Messages in one piece. */
export function renderResponse({ content, reason }: WholeAnswer, head: Head): Json {
  return messageForm(head, content.map(blockForm), stopReason(reason), outputForm(head.usage));
}

function blockForm(said: Content): Json {
  switch (said.type) {
    case "text":
      return { type: "text", text: said.text };
    case "reasoning":
      return { type: "thinking", thinking: said.text, signature: signatureOf(said.text) };
    case "call":
      return { type: "tool_use", id: said.id, name: said.tool, input: parsed(said.input) };
  }
}

// Arguments that are not JSON cannot be said in one piece: the provider's own parser would have failed.
function parsed(input: string): Json {
  try {
    return JSON.parse(input) as Json;
  } catch {
    return {};
  }
}
