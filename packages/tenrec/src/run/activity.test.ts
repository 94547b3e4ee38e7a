import type { TenrecEvent } from "@tenrec/protocol";
import { expect, test } from "vitest";
import { activityText, nextActivity, STARTING } from "./activity.ts";

const event = (type: string, fields: object = {}): TenrecEvent => ({ type, ...fields }) as TenrecEvent;
const call = (toolCallId: string, path: string): TenrecEvent =>
  event("tool-call", { toolCallId, toolName: "read", input: { path } });

test("says what the agent is doing, and what it took so far", () => {
  let activity = STARTING;
  const texts = [
    event("turn-start"),
    event("step-start"),
    event("reasoning-delta"),
    event("text-delta"),
    event("tool-input-delta", { toolName: "write" }),
    call("1", "a.ts"),
    call("2", "b.ts"),
    event("usage", { model: "a/b", inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, usd: 0.25 }),
    event("tool-result", { toolCallId: "1" }),
    event("approval-request"),
    event("turn-end"),
  ].map((next) => activityText((activity = nextActivity(activity, next))));
  expect(texts).toEqual([
    "starting",
    "waiting for the model",
    "the model is thinking",
    "the model is writing",
    "the model is writing a call of write",
    "read a.ts",
    "read a.ts, and 1 more",
    "read a.ts, and 1 more · 1 model call, $0.25",
    "read b.ts · 1 model call, $0.25",
    "",
    "",
  ]);
});
