import type { DurableEventBody } from "@tenrec/protocol";
import { expect, test } from "vitest";
import { isRedacted, redactEvent } from "./redact-json.ts";
import { createRedactor, REDACTED } from "./redactor.ts";

const redactor = createRedactor(["s3cr3t-word"]);

const result: DurableEventBody = {
  type: "tool-result",
  turn: 1,
  step: 1,
  toolCallId: "c",
  toolName: "read",
  status: "ok",
  output: { text: "plain", data: { a: [1, null, true, "x"] } },
  durationMs: 1,
  tree: "t",
};

test("an event without a secret is passed on as it is", () => {
  expect(redactEvent(result, redactor)).toBe(result);
});

test("a secret is taken out of every text of an event, however deep, and of names of fields", () => {
  const output = { text: "a s3cr3t-word", data: { list: [{ deep: "s3cr3t-word" }], "s3cr3t-word": 1 } };
  expect(redactEvent({ ...result, output }, redactor)).toEqual({
    ...result,
    output: { text: `a ${REDACTED}`, data: { list: [{ deep: REDACTED }], [REDACTED]: 1 } },
  });
});

test("files in Base64 are not touched", () => {
  const media = [{ mediaType: "image/png", data: "s3cr3t-word" }];
  const url = "data:image/png;base64,s3cr3t-word";
  const event = { ...result, output: { text: "", media, data: { url } } };
  expect(redactEvent(event, redactor)).toBe(event);
});

test("reasoning that is changed loses its signature, other reasoning keeps it", () => {
  const providerMetadata = { anthropic: { signature: "abc" } };
  const step: DurableEventBody = {
    type: "step-end",
    turn: 1,
    step: 1,
    content: [
      { type: "reasoning", text: "it is s3cr3t-word", providerMetadata },
      { type: "reasoning", text: "fine", providerMetadata },
    ],
    finishReason: "stop",
    durationMs: 1,
  };
  expect(redactEvent(step, redactor)).toMatchObject({
    content: [
      { type: "reasoning", text: `it is ${REDACTED}` },
      { type: "reasoning", text: "fine", providerMetadata },
    ],
  });
  expect(JSON.stringify(redactEvent(step, redactor)).match(/signature/g)).toHaveLength(1);
});

test("what stands for a secret is seen in arguments", () => {
  expect(isRedacted({ edits: [{ oldText: `KEY=${REDACTED}` }] })).toBe(true);
  expect(isRedacted({ edits: [{ oldText: "KEY=" }] })).toBe(false);
});
