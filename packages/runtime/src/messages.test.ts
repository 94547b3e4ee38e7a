import type { DurableEventBody } from "@tenrec/protocol";
import { expect, test } from "vitest";
import { toModelMessages } from "./messages.ts";
import { input, stamped, stepEnd, stepStart, toolCall, toolResult, turnEnd, turnStart } from "./with-events.ts";

function messages(bodies: readonly DurableEventBody[], mediaInResults = true): unknown {
  return toModelMessages(stamped(bodies), { mediaInResults });
}

const steer = {
  ...input,
  operationId: "op2",
  whenBusy: "steer",
  parts: [{ type: "text", text: "also" }],
} as DurableEventBody;
const hello = { role: "user", content: [{ type: "text", text: "hello" }] };

test("a call and its result stand in a legal order", () => {
  expect(
    messages([
      input,
      turnStart,
      stepStart(1),
      toolCall("a"),
      stepEnd(1, "hm", ["a"]),
      toolResult("a"),
      stepStart(2),
      stepEnd(2, "bye"),
      turnEnd,
    ]),
  ).toEqual([
    hello,
    {
      role: "assistant",
      content: [
        { type: "text", text: "hm" },
        { type: "tool-call", toolCallId: "a", toolName: "edit", input: { id: "a" } },
      ],
    },
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "a", toolName: "edit", output: { type: "text", value: "ok" } }],
    },
    { role: "assistant", content: [{ type: "text", text: "bye" }] },
  ]);
});

test("results of one step share a message in the order of their calls, and failures and images keep their kind", () => {
  const events = [
    input,
    turnStart,
    stepStart(1),
    toolCall("a"),
    toolCall("b"),
    stepEnd(1, "", ["a", "b"]),
    toolResult("b", { text: "see", media: [{ mediaType: "image/png", data: "AAAA" }] }),
    toolResult("a", { text: "no", isError: true }),
  ];
  expect((messages(events) as unknown[])[2]).toMatchObject({
    role: "tool",
    content: [
      { toolCallId: "a", output: { type: "error-text", value: "no" } },
      {
        toolCallId: "b",
        output: {
          type: "content",
          value: [
            { type: "text", text: "see" },
            { type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" } },
          ],
        },
      },
    ],
  });
});

test("a prompt that steers comes after the results of the round in which it was sent", () => {
  const events = [
    input,
    turnStart,
    stepStart(1),
    toolCall("a"),
    stepEnd(1, "", ["a"]),
    steer,
    toolResult("a"),
    stepStart(2),
  ];
  expect((messages(events) as { role: string }[]).map((m) => m.role)).toEqual(["user", "assistant", "tool", "user"]);
});

test("a queued prompt is not shown before its turn", () => {
  const later = { ...input, operationId: "op3", parts: [{ type: "text", text: "later" }] } as DurableEventBody;
  expect(messages([input, turnStart, later, stepStart(1)])).toEqual([hello]);
});

test("arguments that are no object are wrapped, as providers want", () => {
  const events = [input, turnStart, stepStart(1), toolCall("a", { input: "{oops" }), stepEnd(1, "", ["a"])];
  expect((messages(events) as unknown[])[1]).toMatchObject({ content: [{ input: { invalid: "{oops" } }] });
});

test("a reset drops what was before it", () => {
  const reset: DurableEventBody = { type: "reset", handoff: "Where we are." };
  expect(messages([input, turnStart, stepStart(1), stepEnd(1, "bye"), turnEnd, reset])).toEqual([
    { role: "user", content: "Where we are." },
  ]);
});

test("a step that was cut off leaves nothing", () => {
  expect(messages([input, turnStart, stepStart(1), stepStart(1, 2)])).toEqual([hello]);
});

test("a provider that takes no images in results gets them in a message behind", () => {
  const media = [{ mediaType: "image/png", data: "AAAA" }];
  const events = [
    input,
    turnStart,
    stepStart(1),
    toolCall("a"),
    stepEnd(1, "", ["a"]),
    toolResult("a", { text: "see", media }),
  ];
  expect((messages(events, false) as unknown[]).slice(2)).toEqual([
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "a", toolName: "edit", output: { type: "text", value: "see" } }],
    },
    {
      role: "user",
      content: [
        { type: "text", text: "What the tools above returned:" },
        { type: "file", mediaType: "image/png", data: "AAAA" },
      ],
    },
  ]);
});

test("a result that comes before its step ends, or never, still makes a legal sequence", () => {
  const early = [input, turnStart, stepStart(1), toolCall("a"), toolResult("a"), stepEnd(1, "hm", ["a"])];
  expect((messages(early) as { role: string }[]).map((m) => m.role)).toEqual(["user", "assistant", "tool"]);
  const never = [input, turnStart, stepStart(1), toolCall("a"), stepEnd(1, "hm", ["a"]), turnEnd];
  expect((messages(never) as unknown[])[2]).toMatchObject({
    content: [{ toolCallId: "a", output: { type: "error-text", value: expect.stringContaining("cut off") } }],
  });
});

test("a step of reasoning alone is no message", () => {
  const reasoning: DurableEventBody = {
    type: "step-end",
    turn: 1,
    step: 1,
    content: [{ type: "reasoning", text: "hm" }],
    finishReason: "stop",
    durationMs: 1,
  };
  expect(messages([input, turnStart, stepStart(1), reasoning])).toEqual([hello]);
});

test("files of a turn that failed at once are not sent again", () => {
  const file = { type: "file", mediaType: "image/png", url: "http://127.0.0.1/a.png", filename: "a.png" } as const;
  const withFile = { ...input, parts: [{ type: "text", text: "look" }, file] } as DurableEventBody;
  expect(messages([withFile, turnStart, stepStart(1)])).toMatchObject([
    { content: [{ text: "look" }, { type: "file" }] },
  ]);
  expect(messages([withFile, turnStart, stepStart(1), turnEnd])).toMatchObject([
    { content: [{ text: "look" }, { type: "text", text: "[a.png left out: the turn that it came with failed]" }] },
  ]);
});

test("a steering prompt that was dropped, or came too late, is not shown", () => {
  const abort: DurableEventBody = { type: "abort", operationId: "op2" };
  expect(messages([input, turnStart, stepStart(1), stepEnd(1, "x"), steer, abort, stepStart(2)])).toHaveLength(2);
  const late = [input, turnStart, { type: "abort" } as DurableEventBody, steer, turnEnd];
  const next = { ...turnStart, turn: 2, operationIds: ["op2"] } as DurableEventBody;
  expect(messages([...late, next, stepStart(1)])).toMatchObject([hello, { content: [{ text: "also" }] }]);
});
