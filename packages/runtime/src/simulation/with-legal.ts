import type { DurableEvent } from "@tenrec/protocol";
import { toModelMessages } from "../messages.ts";

/** Why a provider would refuse the conversation; empty when it would not. */
export function illegalIn(events: readonly DurableEvent[]): string[] {
  const messages = toModelMessages(events, { mediaInResults: true });
  const wrong: string[] = [];
  const seen = new Set<string>();
  for (const [i, message] of messages.entries()) {
    if (message.content.length === 0) wrong.push(`message ${i} is empty`);
    if (message.role === "tool" && messages[i - 1]?.role !== "assistant") wrong.push(`message ${i} is a stray result`);
    if (message.role !== "assistant" || typeof message.content === "string") continue;
    const calls = message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
    const next = messages[i + 1];
    const results = next?.role === "tool" ? next.content.flatMap((p) => ("toolCallId" in p ? [p.toolCallId] : [])) : [];
    if (calls.join() !== results.join()) wrong.push(`message ${i} calls ${calls.join()}, results ${results.join()}`);
    for (const id of calls) if (seen.has(id)) wrong.push(`the call id ${id} is there twice`);
    for (const id of calls) seen.add(id);
  }
  return wrong;
}

/** Those that are there more than once. */
export function repeated<T>(items: readonly T[]): T[] {
  return [...new Set(items.filter((item, i) => items.indexOf(item) !== i))];
}
