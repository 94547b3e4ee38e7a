import type { TurnEndEvent } from "@tenrec/protocol";
import { expect, test } from "vitest";
import type { Followed } from "./follow-session.ts";
import { exitCodeOf, turnOutcome } from "./outcome.ts";

const followed = (reason: TurnEndEvent["reason"]): Followed => ({
  events: [],
  end: { type: "turn-end", turn: 1, reason, text: "It said.", tree: "" },
  unanswered: undefined,
});

test.each([
  ["done", 0, true],
  ["failed", 1, false],
  ["repetition", 1, false],
  ["recovery", 1, false],
  ["budget", 3, false],
  ["steps", 3, false],
] as const)("a turn that ended with %s: %d", (reason, exitCode, isTakeable) => {
  expect(turnOutcome(followed(reason), false)).toEqual({ exitCode, reason, text: "It said.", isTakeable });
});

test("a stop counts more than how the turn ended", () => {
  expect(turnOutcome(followed("aborted"), true)).toMatchObject({ exitCode: 130, isTakeable: false });
});

test("a question that nobody answers is 3", () => {
  const unanswered = { detail: "npm test" } as Followed["unanswered"];
  expect(turnOutcome({ events: [], end: undefined, unanswered }, false)).toEqual({
    exitCode: 3,
    reason: "approval",
    text: "npm test",
    isTakeable: false,
  });
});

test("a file that was refused makes a done run a failed one", () => {
  expect(exitCodeOf(0, [{ path: "/a", status: "refused", reason: "r" }])).toBe(1);
  expect(exitCodeOf(0, [{ path: "/a", status: "created" }])).toBe(0);
  expect(exitCodeOf(0, undefined)).toBe(0);
  expect(exitCodeOf(3, undefined)).toBe(3);
});
