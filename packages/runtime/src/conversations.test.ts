import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DurableEvent, DurableEventBody } from "@tenrec/protocol";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Conversations } from "./conversations.ts";
import { fromLines } from "./golden/with-reading.ts";
import { toModelMessages } from "./messages.ts";
import { simulate } from "./simulation/with-run.ts";
import { seedsToPlay } from "./simulation/with-seeds.ts";
import { input, stamped, stepEnd, stepStart, toolCall, toolResult, turnEnd, turnStart } from "./with-events.ts";

/** Grows a journal event by event, and looks at it by steps of `stride`: kept or new, the conversation is the same. */
function expectSame(events: readonly DurableEvent[], stride: number): void {
  let length = 0;
  const journal = { events: (_session: string, after = 0) => events.slice(after, length) };
  const kept = new Conversations(journal);
  for (length = 0; length <= events.length; length += stride) {
    const mediaInResults = length % 7 !== 3;
    const { messages, callIds } = kept.of("s", { mediaInResults });
    const seen = events.slice(0, length);
    expect(messages).toEqual(toModelMessages(seen, { mediaInResults }));
    const called = seen.flatMap((event) => (event.type === "tool-call" ? [event.toolCallId] : []));
    expect(callIds).toEqual(new Set(called));
  }
}

const STRIDES = [1, 4];

describe("a conversation that is kept is the one that is made anew", () => {
  const folder = join(import.meta.dirname, "golden");
  const recorded = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".jsonl"));
  test.each(recorded)("along %s", (file) => {
    for (const stride of STRIDES) expectSame(fromLines(readFileSync(join(folder, file), "utf8")).events, stride);
  });

  // A slice that fails says so; here they fail by design.
  beforeAll(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
  afterAll(() => void vi.restoreAllMocks());

  test("along journals of the simulation", async () => {
    let count = 0;
    for (const seed of seedsToPlay(60)) {
      for (const events of (await simulate(seed)).journals.values()) {
        for (const stride of STRIDES) expectSame(events, stride);
        count += events.length;
      }
    }
    expect(count).toBeGreaterThan(0);
  }, 60_000);

  const undo = { type: "undo", toSeq: 4, fromTree: "a", tree: "b" } as DurableEventBody;
  const reset = { type: "reset", handoff: "go on" } as DurableEventBody;
  const step = [stepStart(1), toolCall("a"), stepEnd(1, "hm", ["a"])];
  test.each<[string, DurableEventBody[]]>([
    ["a turn that fails after its prompt was shown", [input, turnStart, stepStart(1), turnEnd]],
    [
      "a result that comes after another step",
      [input, turnStart, ...step, stepStart(2), stepEnd(2, "b"), toolResult("a")],
    ],
    [
      "a call that was told after its step",
      [input, turnStart, stepEnd(1, "hm", ["a"]), toolCall("a"), toolResult("a")],
    ],
    ["an undo within a turn", [input, turnStart, ...step, toolResult("a"), turnEnd, undo, input, turnStart, ...step]],
    ["an undo after a reset", [input, turnStart, ...step, turnEnd, reset, input, turnStart, ...step, undo, input]],
  ])("along %s", (_name, bodies) => {
    for (const stride of STRIDES) expectSame(stamped(bodies), stride);
  });
});

test("a step reads the events that came since the one before", () => {
  const events = stamped([input, turnStart, stepStart(1), stepEnd(1, "a"), stepStart(2)]);
  const asked: number[] = [];
  const kept = new Conversations({
    events(_session, after = 0) {
      asked.push(after);
      return events.slice(after, asked.length === 1 ? 3 : events.length);
    },
  });
  for (let time = 0; time < 3; time += 1) kept.of("s", { mediaInResults: false });
  expect(asked).toEqual([0, 3, 5]);
  kept.forget("s");
  kept.of("s", { mediaInResults: false });
  expect(asked.at(-1)).toBe(0);
});
