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

/** Grows a journal and looks at it after every `stride` events: kept or new, the conversation is the same. */
function expectSame(events: readonly DurableEvent[], stride: number): void {
  let length = 0;
  const journal = { events: (_session: string, after = 0) => events.slice(after, length) };
  const kept = new Conversations(journal);
  for (length = 0; length <= events.length; length += stride) {
    const { messages, callIds } = kept.of("s", MEDIA);
    const seen = events.slice(0, length);
    expect(messages).toEqual(toModelMessages(seen, MEDIA));
    const called = seen.flatMap((event) => (event.type === "tool-call" ? [event.toolCallId] : []));
    expect(callIds).toEqual(new Set(called));
  }
}

const MEDIA = { mediaInResults: true };
const STRIDES = [1, 4];

/** Events in any order, also in one that no loop writes; but each prompt has an id of its own. */
function anyEvents(seed: number): DurableEvent[] {
  let state = seed;
  const below = (n: number): number => (state = (state * 16_807) % 2_147_483_647) % n;
  const file = { type: "file", mediaType: "image/png", url: "data:image/png;base64,AAAA" } as const;
  const bodies: DurableEventBody[] = [];
  let turn = 1;
  while (bodies.length < 30) {
    const at = { turn, step: 1 + below(2) };
    const [id, op] = ["ab"[below(2)] ?? "a", `op${below(bodies.length + 1)}`];
    const prompt = { ...input, operationId: `op${bodies.length}`, parts: [file] };
    const kinds: (() => object)[] = [
      () => prompt,
      () => ({ ...prompt, whenBusy: "steer" }),
      () => ({ ...turnStart, turn: (turn += 1), operationIds: [op] }),
      () => ({ ...stepStart(1), ...at }),
      () => ({ ...toolCall(id), ...at }),
      () => ({ ...stepEnd(1, "hm", ["a", "b"].slice(below(3))), ...at }),
      () => ({ ...toolResult(id), ...at }),
      () => ({ ...turnEnd, turn }),
      () => ({ type: "abort", ...(below(2) ? { operationId: op } : {}) }),
      () => (below(3) ? prompt : { type: "reset", handoff: "go on" }),
      () => (below(3) ? prompt : { type: "undo", toSeq: below(bodies.length + 1), fromTree: "a", tree: "b" }),
    ];
    bodies.push(kinds[below(kinds.length)]?.() as DurableEventBody);
  }
  return stamped(bodies);
}

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

  test("along events in any order", () => {
    for (let seed = 1; seed <= 150; seed += 1) {
      for (const stride of STRIDES) expectSame(anyEvents(seed), stride);
    }
  }, 60_000);
});

test("a model that takes media otherwise is shown the conversation in its way", () => {
  const image = { text: "see", media: [{ mediaType: "image/png", data: "AAAA" }] };
  const events = stamped([
    input,
    turnStart,
    stepStart(1),
    toolCall("a"),
    stepEnd(1, "", ["a"]),
    toolResult("a", image),
  ]);
  const kept = new Conversations({ events: (_session, after) => events.slice(after) });
  for (const mediaInResults of [true, false, true]) {
    expect(kept.of("s", { mediaInResults }).messages).toEqual(toModelMessages(events, { mediaInResults }));
  }
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
