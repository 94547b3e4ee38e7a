import type { DurableEvent, InputPart, StepEndEvent, ToolCallEvent, ToolResultEvent } from "@tenrec/protocol";
import type { MessagePart, ToolPart, TranscriptMessage } from "agents/experimental/channels";
import { liveEvents } from "../live-events.ts";

type Stored = ToolPart["output"];

function userParts(parts: readonly InputPart[]): MessagePart[] {
  return parts.map((part) => ({ ...part }));
}

function toolPart(call: ToolCallEvent, result: ToolResultEvent | undefined): ToolPart {
  const { toolCallId, toolName } = call;
  const base = { type: "tool" as const, toolCallId, toolName, input: call.input as Exclude<Stored, undefined> };
  if (!result) return { ...base, state: "input-available" };
  if (result.status === "ok") return { ...base, state: "output-available", output: result.output.text };
  return {
    ...base,
    state: result.status === "denied" ? "output-denied" : "output-error",
    errorText: result.output.text,
  };
}

function stepParts(step: StepEndEvent, tool: (id: string) => ToolPart | undefined): MessagePart[] {
  return step.content.flatMap((part): MessagePart[] => {
    if (part.type !== "tool-call") return [{ type: part.type, text: part.text }];
    const found = tool(part.toolCallId);
    return found ? [found] : [];
  });
}

/** The id of the message in which a turn answers. */
export function answerId(turn: number): string {
  return `turn-${turn}`;
}

/** The conversation since the newest reset, without what was undone: a message for each prompt, and one for each turn's answer. */
export function toTranscript(all: readonly DurableEvent[]): TranscriptMessage[] {
  const events = liveEvents(all);
  const start = events.findLastIndex((event) => event.type === "reset");
  const reset = events[start];
  const messages: TranscriptMessage[] = [];
  if (reset?.type === "reset" && reset.handoff !== undefined) {
    messages.push({ id: `reset-${reset.seq}`, role: "user", parts: [{ type: "text", text: reset.handoff }] });
  }
  const results = new Map(events.flatMap((e) => (e.type === "tool-result" ? [[e.toolCallId, e] as const] : [])));
  const calls = new Map<string, ToolCallEvent>();
  for (const event of events.slice(start + 1)) {
    if (event.type === "input") {
      messages.push({ id: event.operationId, role: "user", parts: userParts(event.parts) });
    } else if (event.type === "turn-start") {
      messages.push({ id: answerId(event.turn), role: "assistant", parts: [] });
    } else if (event.type === "tool-call") {
      calls.set(event.toolCallId, event);
    } else if (event.type === "step-end") {
      const answer = messages.findLast((message) => message.id === answerId(event.turn));
      const tool = (id: string): ToolPart | undefined => {
        const call = calls.get(id);
        return call && toolPart(call, results.get(id));
      };
      answer?.parts.push(...stepParts(event, tool));
    }
  }
  return messages;
}
