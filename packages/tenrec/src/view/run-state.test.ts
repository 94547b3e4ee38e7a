import type { TenrecEvent } from "@tenrec/protocol";
import { expect, test } from "vitest";
import { IDLE, isBusy, nextRunState, runText } from "./run-state.ts";

const event = (type: string, fields: object = {}): TenrecEvent => ({ type, ...fields }) as TenrecEvent;
const input = (operationId: string, whenBusy = "followUp"): TenrecEvent => event("input", { operationId, whenBusy });
const texts = (events: readonly TenrecEvent[]): string[] => {
  let state = IDLE;
  return events.map((next) => runText((state = nextRunState(state, next))));
};

test("follows a turn, what waits behind it, and its questions", () => {
  const events = [
    input("a"),
    event("turn-start", { operationIds: ["a"] }),
    input("b"),
    input("c", "steer"),
    event("approval-request", { approvalId: "q" }),
    event("approval-answer", { approvalId: "q" }),
    event("turn-end"),
    event("turn-start", { operationIds: ["b"] }),
    event("turn-end"),
  ];
  expect(texts(events)).toEqual([
    "working",
    "working",
    "working, 1 waiting",
    "working, 1 waiting",
    "waits for your approval",
    "working, 1 waiting",
    "working",
    "working",
    "ready",
  ]);
});

test("a stop drops what waits; the turn ends by its own event", () => {
  const before = [input("a"), event("turn-start", { operationIds: ["a"] }), input("b"), input("c")];
  const one = [...before, event("abort", { operationId: "b" })].reduce(nextRunState, IDLE);
  expect(one).toEqual({ queued: ["c"], running: ["a"], approvals: [] });
  const all = [...before, event("abort"), event("turn-end")].reduce(nextRunState, IDLE);
  expect(isBusy(all)).toBe(false);
});

test("an undo drops what waits, a turn with a question included", () => {
  const events = [
    input("a"),
    event("turn-start", { operationIds: ["a"] }),
    event("approval-request", { approvalId: "q" }),
  ];
  expect([...events, input("b"), event("undo")].reduce(nextRunState, IDLE)).toEqual(IDLE);
});
