import type { DurableEvent } from "@tenrec/protocol";
import { toModelMessages } from "./messages.ts";

/** Throws when a provider would refuse the conversation: each call has one result, right behind the message that made it. */
export function assertLegalMessages(events: readonly DurableEvent[]): void {
  const messages = toModelMessages(events, { mediaInResults: true });
  const seen = new Set<string>();
  for (const [i, message] of messages.entries()) {
    if (message.content.length === 0) throw new Error(`message ${i} is empty`);
    const before = messages[i - 1];
    if (message.role === "tool" && before?.role !== "assistant") throw new Error(`message ${i} is a stray result`);
    if (message.role !== "assistant" || typeof message.content === "string") continue;
    const calls = message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
    const next = messages[i + 1];
    const results = next?.role === "tool" ? next.content.flatMap((p) => ("toolCallId" in p ? [p.toolCallId] : [])) : [];
    if (calls.join() !== results.join())
      throw new Error(`message ${i} has calls ${calls.join()}, and results ${results.join()}`);
    for (const id of calls) if (seen.has(id)) throw new Error(`the call id ${id} is there twice`);
    for (const id of calls) seen.add(id);
  }
}
