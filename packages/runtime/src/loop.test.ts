import type { Budget, DurableEventBody } from "@tenrec/protocol";
import { describe, expect, test } from "vitest";
import { decide } from "./loop.ts";
import {
  approvalAnswer,
  approvalRequest,
  fold,
  input,
  stepEnd,
  stepStart,
  toolCall,
  toolResult,
  turnEnd,
  turnStart,
  usage,
} from "./with-events.ts";

const begun: DurableEventBody[] = [input, turnStart];

function next(bodies: readonly DurableEventBody[], budget: Budget = {}): unknown {
  const action = decide(fold(bodies), budget);
  if (action.type === "run-calls") return { type: action.type, calls: action.calls.map((c) => c.call.toolCallId) };
  if (action.type === "settle-call") return { type: action.type, call: action.call.toolCallId, as: action.as };
  if (action.type === "end-turn") return { type: action.type, reason: action.reason };
  return action;
}

function step(n: number, ...calls: DurableEventBody[]): DurableEventBody[] {
  const ids = calls.flatMap((c) => (c.type === "tool-call" ? [c.toolCallId] : []));
  return [stepStart(n), ...calls, stepEnd(n, "text", ids)];
}

const pure = { replay: "pure", permission: "read" } as const;

describe("decide", () => {
  const effect: DurableEventBody = { type: "effect", turn: 1, toolCallId: "a", kind: "process", target: "x" };
  const abort: DurableEventBody = { type: "abort" };
  const steer: DurableEventBody = { ...input, type: "input", operationId: "op2", whenBusy: "steer", parts: [] };
  const invalid = { code: "tool-unknown", message: "no", data: {} } as const;
  const same = (id: string): DurableEventBody => toolCall(id, { input: "same" });

  test.each<[name: string, events: DurableEventBody[], action: unknown, budget?: Budget]>([
    ["nothing happened", [], { type: "idle" }],
    ["a prompt waits", [input], { type: "start-turn", operationIds: ["op"] }],
    ["a turn began", begun, { type: "call-model", step: 1, attempt: 1 }],
    ["the model call was cut off", [...begun, stepStart(1)], { type: "call-model", step: 1, attempt: 2 }],
    ["it was cut off three times", [...begun, stepStart(1, 3)], { type: "end-turn", reason: "recovery" }],
    [
      "it failed three times",
      [...begun, stepStart(1, 3), { type: "error", turn: 1, error: { code: "model-failed", message: "m", data: {} } }],
      { type: "end-turn", reason: "failed" },
    ],
    ["an answer without calls", [...begun, ...step(1)], { type: "end-turn", reason: "done" }],
    ["calls, whatever finish reason", [...begun, ...step(1, toolCall("a"))], { type: "run-calls", calls: ["a"] }],
    [
      "calls that change run one by one",
      [...begun, ...step(1, toolCall("a"), toolCall("b"))],
      { type: "run-calls", calls: ["a"] },
    ],
    [
      "pure calls run together, up to the next that changes",
      [...begun, ...step(1, toolCall("a", pure), toolCall("b", pure), toolCall("c"), toolCall("d", pure))],
      { type: "run-calls", calls: ["a", "b"] },
    ],
    [
      "only what has no result runs",
      [...begun, ...step(1, toolCall("a"), toolCall("b")), toolResult("a")],
      { type: "run-calls", calls: ["b"] },
    ],
    [
      "all calls have results",
      [...begun, ...step(1, toolCall("a")), toolResult("a")],
      { type: "call-model", step: 2, attempt: 1 },
    ],
    [
      "an invalid call is not run",
      [...begun, ...step(1, toolCall("a", { invalid }))],
      { type: "settle-call", call: "a", as: "invalid" },
    ],
    [
      "an effect without a result",
      [...begun, ...step(1, toolCall("a", { replay: "unsafe" })), effect],
      { type: "settle-call", call: "a", as: "interrupted" },
    ],
    ["a question is open", [...begun, ...step(1, toolCall("a")), approvalRequest("a")], { type: "park" }],
    [
      "it was granted",
      [...begun, ...step(1, toolCall("a")), approvalRequest("a"), approvalAnswer("a", true)],
      { type: "run-calls", calls: ["a"] },
    ],
    [
      "it was refused",
      [...begun, ...step(1, toolCall("a")), approvalRequest("a"), approvalAnswer("a", false)],
      { type: "settle-call", call: "a", as: "denied" },
    ],
    [
      "a pure call with an open question does not run with the others",
      [...begun, ...step(1, toolCall("a", pure), toolCall("b", pure)), approvalRequest("b")],
      { type: "run-calls", calls: ["a"] },
    ],
    [
      "stopped with an open call",
      [...begun, ...step(1, toolCall("a")), abort],
      { type: "settle-call", call: "a", as: "stopped" },
    ],
    ["stopped in a model call", [...begun, stepStart(1), abort], { type: "end-turn", reason: "aborted" }],
    ["stopped while it waited for a turn", [input, abort], { type: "idle" }],
    ["steering after an answer", [...begun, ...step(1), steer], { type: "call-model", step: 2, attempt: 1 }],
    [
      "two identical calls",
      [...begun, ...step(1, same("a")), toolResult("a"), ...step(2, same("b"))],
      { type: "run-calls", calls: ["b"] },
    ],
    [
      "a third identical call",
      [...begun, ...step(1, same("a")), toolResult("a"), ...step(2, same("b")), toolResult("b"), ...step(3, same("c"))],
      { type: "settle-call", call: "c", as: "repeated" },
    ],
    [
      "a call that is not one of the repeated ones",
      [...begun, ...step(1, toolCall("w"), same("a"), same("b"), same("c"))],
      { type: "run-calls", calls: ["w"] },
    ],
    [
      "after a third identical call",
      [...begun, ...step(1, same("a"), same("b"), same("c")), toolResult("a"), toolResult("b"), toolResult("c")],
      { type: "end-turn", reason: "repetition" },
    ],
    [
      "the step cap",
      [...begun, ...step(1, toolCall("a")), toolResult("a")],
      { type: "end-turn", reason: "steps" },
      { turn: { steps: 1 } },
    ],
    [
      "the money cap",
      [...begun, stepStart(1), usage(10, 0.5), toolCall("a"), stepEnd(1, "", ["a"]), toolResult("a")],
      { type: "end-turn", reason: "budget" },
      { turn: { usd: 0.5 } },
    ],
    [
      "the session's token cap, spent in an earlier turn",
      [
        ...begun,
        stepStart(1),
        usage(10),
        stepEnd(1, "x"),
        turnEnd,
        { ...input, operationId: "op2" } as DurableEventBody,
        { ...turnStart, operationIds: ["op2"] } as DurableEventBody,
      ],
      { type: "end-turn", reason: "budget" },
      { session: { tokens: 10 } },
    ],
    [
      "a cap that is not reached",
      [...begun, ...step(1, toolCall("a")), toolResult("a")],
      { type: "call-model", step: 2, attempt: 1 },
      { turn: { steps: 2, usd: 1, tokens: 5 } },
    ],
    ["another engine's turn", [input, { ...turnStart, engine: "codex" } as DurableEventBody], { type: "run-engine" }],
    ["the turn ended", [...begun, ...step(1), turnEnd], { type: "idle" }],
  ])("%s", (_name, events, action, budget) => {
    expect(next(events, budget)).toEqual(action);
  });
});

describe("operations", () => {
  const status = (bodies: readonly DurableEventBody[]): unknown => {
    const { open, settled } = fold(bodies);
    return open.get("op") ?? settled.find(({ operationId }) => operationId === "op");
  };
  const asked = [...begun, ...step(1, toolCall("a"), toolCall("b")), approvalRequest("a"), approvalRequest("b")];

  test("follow a turn from queue to answer", () => {
    expect(status([input])).toEqual({ operationId: "op", status: "queued" });
    expect(status(begun)).toEqual({ operationId: "op", status: "running" });
    expect(status([...begun, turnEnd])).toEqual({ operationId: "op", status: "done", text: "bye", turn: 1 });
  });

  test("wait for every question, one after the other", () => {
    expect(status(asked)).toEqual({ operationId: "op", status: "waiting", approvalId: "a-a" });
    const one = [...asked, approvalAnswer("a", true)];
    expect(status(one)).toEqual({ operationId: "op", status: "waiting", approvalId: "a-b" });
    expect(status([...one, approvalAnswer("b", true)])).toEqual({ operationId: "op", status: "running" });
    expect(status([...asked, { type: "abort" }])).toEqual({ operationId: "op", status: "running" });
  });

  const steer: DurableEventBody = { ...input, type: "input", operationId: "two", whenBusy: "steer", parts: [] };

  test("that steer join a turn, but not one that was stopped, or another engine's", () => {
    expect(fold([...begun, steer]).turn?.operationIds).toEqual(["op", "two"]);
    expect(fold([...begun, { type: "abort" }, steer]).queue).toEqual(["two"]);
    expect(fold([input, { ...turnStart, engine: "codex" } as DurableEventBody, steer]).queue).toEqual(["two"]);
  });

  test("that steer are dropped alone until the model has seen them", () => {
    const abort: DurableEventBody = { type: "abort", operationId: "two" };
    const dropped = fold([...begun, stepStart(1), steer, abort]);
    expect(dropped.turn).toMatchObject({ operationIds: ["op"], aborted: false });
    expect(dropped.settled).toMatchObject([{ operationId: "two", status: "stopped", reason: "aborted" }]);
    expect(fold([...begun, steer, stepStart(1), abort]).turn).toMatchObject({ aborted: true });
  });

  test("of a long session cost no more than of a short one", () => {
    const turns = Array.from({ length: 50 }, (_, n): DurableEventBody[] => [
      { ...input, type: "input", operationId: `o${n}`, whenBusy: "followUp", parts: [] },
      {
        ...turnStart,
        type: "turn-start",
        turn: n + 1,
        operationIds: [`o${n}`],
        engine: "native",
        model: "m",
        tree: "t",
      },
      { type: "turn-end", turn: n + 1, reason: "done", text: "", tree: "t" },
    ]).flat();
    expect(fold(turns).open.size).toBe(0);
  });
});
