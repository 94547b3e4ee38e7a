import { describe, expect, test } from "vitest";
import type { TenrecEvent } from "./events.ts";
import { isDurable } from "./events.ts";

describe("isDurable", () => {
  const stamp = { session: "s1", seq: 1, at: 0 };
  test.each<[boolean, TenrecEvent]>([
    [true, { ...stamp, type: "turn-end", turn: 1, reason: "done", text: "ok", tree: "t1" }],
    [true, { ...stamp, type: "error", error: { code: "internal", message: "a bug", data: {} } }],
    [false, { session: "s1", type: "text-delta", turn: 1, step: 1, id: "1", text: "a", offset: 0 }],
    [
      false,
      { session: "s1", type: "tool-output-delta", turn: 1, toolCallId: "1", stream: "stdout", text: "a", offset: 0 },
    ],
  ])("is %s for %o", (expected, event) => {
    expect(isDurable(event)).toBe(expected);
    expect(isDurable(JSON.parse(JSON.stringify(event)) as TenrecEvent)).toBe(expected);
  });
});
