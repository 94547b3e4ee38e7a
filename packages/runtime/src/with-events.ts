import type { DurableEvent, DurableEventBody, ToolOutput } from "@tenrec/protocol";
import { applyEvent } from "./apply-event.ts";
import { EMPTY_STATE, type SessionState } from "./session-state.ts";

/** Stamps bodies as a journal would. */
export function stamped(bodies: readonly DurableEventBody[]): DurableEvent[] {
  return bodies.map((body, i) => ({ ...body, session: "s", seq: i + 1, at: 1000 + i }));
}

export function fold(bodies: readonly DurableEventBody[]): SessionState {
  return stamped(bodies).reduce(applyEvent, EMPTY_STATE);
}

export const input: DurableEventBody = {
  type: "input",
  operationId: "op",
  parts: [{ type: "text", text: "hello" }],
  whenBusy: "followUp",
};

export const turnStart: DurableEventBody = {
  type: "turn-start",
  turn: 1,
  operationIds: ["op"],
  engine: "native",
  model: "m",
  tree: "t0",
};

export function stepStart(step: number, attempt = 1): DurableEventBody {
  return { type: "step-start", turn: 1, step, attempt };
}

type CallBody = Extract<DurableEventBody, { type: "tool-call" }>;

export function toolCall(toolCallId: string, more: Partial<CallBody> = {}): CallBody {
  return {
    type: "tool-call",
    turn: 1,
    step: 1,
    toolCallId,
    toolName: "edit",
    input: { id: toolCallId },
    replay: "transaction",
    permission: "edit",
    ...more,
  };
}

export function stepEnd(step: number, text: string, callIds: readonly string[] = []): DurableEventBody {
  const calls = callIds.map((toolCallId) => ({ type: "tool-call" as const, toolCallId }));
  const content = [...(text ? [{ type: "text" as const, text }] : []), ...calls];
  return { type: "step-end", turn: 1, step, content, finishReason: "stop", durationMs: 1 };
}

export function toolResult(toolCallId: string, output: ToolOutput = { text: "ok" }): DurableEventBody {
  const status = output.isError ? "error" : "ok";
  return {
    type: "tool-result",
    turn: 1,
    step: 1,
    toolCallId,
    toolName: "edit",
    status,
    output,
    durationMs: 1,
    tree: "t1",
  };
}

export function usage(tokens: number, usd?: number): DurableEventBody {
  return {
    type: "usage",
    turn: 1,
    step: 1,
    model: "m",
    inputTokens: tokens,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    ...(usd === undefined ? {} : { usd }),
  };
}

export const turnEnd: DurableEventBody = { type: "turn-end", turn: 1, reason: "done", text: "bye", tree: "t1" };

export function approvalRequest(toolCallId: string): DurableEventBody {
  return {
    type: "approval-request",
    turn: 1,
    approvalId: `a-${toolCallId}`,
    toolCallId,
    toolName: "edit",
    permission: "network",
    detail: "d",
    inputHash: "h",
  };
}

export function approvalAnswer(toolCallId: string, approved: boolean): DurableEventBody {
  return { type: "approval-answer", turn: 1, approvalId: `a-${toolCallId}`, toolCallId, approved, by: "person" };
}
