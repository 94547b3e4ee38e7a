import type { DurableEvent } from "@tenrec/protocol";
import { costText, durationText, NOTHING_SPENT, spend, tokensText } from "../view/spent.ts";

/** What a turn took, in two lines: calls and time, tokens and money. */
export function summary(events: readonly DurableEvent[]): string {
  const spent = events.reduce(spend, NOTHING_SPENT);
  const tools = events.filter((event) => event.type === "tool-result").length;
  const containers = events.filter((event) => event.type === "escalation").length;
  const [first, last] = [events[0], events.at(-1)];
  const calls = `${count(spent.calls, "model call")}, ${count(tools, "tool call")}, ${count(containers, "container")}`;
  const duration = durationText((last?.at ?? 0) - (first?.at ?? 0));
  return `${calls} · ${duration}\n${tokensText(spent)} · ${costText(spent)}`;
}

function count(amount: number, word: string): string {
  return `${amount === 0 ? "no" : amount} ${word}${amount === 1 ? "" : "s"}`;
}
