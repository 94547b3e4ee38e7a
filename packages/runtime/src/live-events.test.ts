import type { DurableEvent, DurableEventBody } from "@tenrec/protocol";
import { describe, expect, test } from "vitest";
import { applyEvent } from "./apply-event.ts";
import { isLive, liveEvents } from "./live-events.ts";
import { toModelMessages } from "./messages.ts";
import { findPoint } from "./session-point.ts";
import { EMPTY_STATE, type UndoMark } from "./session-state.ts";
import { fold, stamped } from "./with-events.ts";
import { assertLegalMessages } from "./with-legal-messages.ts";
import { toTranscript } from "./harness/transcript.ts";

const undo = (toSeq: number): DurableEventBody => ({ type: "undo", toSeq, fromTree: "u", tree: "u" });

function prompt(operationId: string, whenBusy: "followUp" | "steer" = "followUp"): DurableEventBody {
  return { type: "input", operationId, parts: [{ type: "text", text: operationId }], whenBusy };
}

function start(turn: number, operationId: string): DurableEventBody {
  return { type: "turn-start", turn, operationIds: [operationId], engine: "native", model: "m", tree: `t${turn}` };
}

/** A step with these calls, each with its result, or with its text alone. */
function step(turn: number, n: number, calls: readonly string[], text = ""): DurableEventBody[] {
  const tool = { turn, step: n, toolName: "edit" };
  const said = text === "" ? [] : [{ type: "text" as const, text }];
  return [
    { type: "step-start", turn, step: n, attempt: 1 },
    ...calls.map((toolCallId): DurableEventBody => ({
      ...tool,
      type: "tool-call",
      toolCallId,
      input: { toolCallId },
      replay: "transaction",
      permission: "edit",
    })),
    {
      type: "step-end",
      turn,
      step: n,
      content: [...said, ...calls.map((toolCallId) => ({ type: "tool-call" as const, toolCallId }))],
      finishReason: "stop",
      durationMs: 1,
    },
    ...calls.map((toolCallId): DurableEventBody => ({
      ...tool,
      type: "tool-result",
      toolCallId,
      status: "ok",
      output: { text: `did ${toolCallId}` },
      durationMs: 1,
      tree: `t-${toolCallId}`,
    })),
  ];
}

function end(turn: number): DurableEventBody {
  return { type: "turn-end", turn, reason: "done", text: `answer ${turn}`, tree: `e${turn}` };
}

/** A turn of 11 events: prompt, start, two calls with their results in one step, an answer. */
function turn(n: number): DurableEventBody[] {
  return [
    prompt(`p${n}`),
    start(n, `p${n}`),
    ...step(n, 1, [`${n}a`, `${n}b`]),
    ...step(n, 2, [], `answer ${n}`),
    end(n),
  ];
}

const PER_TURN = turn(1).length;

/** What of a conversation the model sees: its texts, and for each call how it went. */
function seen(bodies: readonly DurableEventBody[]): string[] {
  const events = stamped(bodies);
  assertLegalMessages(events);
  return toModelMessages(events, { mediaInResults: true }).flatMap(({ content }) =>
    (typeof content === "string" ? [{ type: "text" as const, text: content }] : content).flatMap((part) => {
      if (part.type === "text") return [part.text];
      if (part.type !== "tool-result" || !("value" in part.output)) return [];
      return typeof part.output.value === "string" ? [part.output.value] : [];
    }),
  );
}

const TAKEN = "The user took this call back: what it did is undone.";
const [one, two] = [
  ["p1", "did 1a", "did 1b", "answer 1"],
  ["p2", "did 2a", "did 2b", "answer 2"],
];

describe("the model sees", () => {
  const both = [...turn(1), ...turn(2)];
  const length = both.length;
  test.each<[string, DurableEventBody[], string[]]>([
    ["nothing of a turn that was taken back", [...both, undo(PER_TURN)], one],
    ["nothing of a prompt whose turn was", [...both, undo(PER_TURN + 1)], one],
    ["nothing at all before the first turn", [...both, undo(0)], []],
    [
      "a new turn behind what is left",
      [...both, undo(PER_TURN), ...turn(3)],
      [...one, "p3", "did 3a", "did 3b", "answer 3"],
    ],
    ["every result of a cut step", [...both, undo(length - 3)], [...one, "p2", "did 2a", "did 2b"]],
    ["for a call after the cut, that it was taken back", [...both, undo(length - 4)], [...one, "p2", "did 2a", TAKEN]],
    ["the whole again, once the undo is undone", [...both, undo(PER_TURN), undo(length)], [...one, ...two]],
    ["what a second undo left", [...both, undo(PER_TURN), undo(0)], []],
    ["what was before two undos", [...both, undo(PER_TURN), undo(0), undo(length)], [...one, ...two]],
    ["a conversation again that was reset", [...turn(1), { type: "reset" }, ...turn(2), undo(PER_TURN)], one],
    ["no prompt that waited", [...turn(1), prompt("q"), undo(PER_TURN + 1), ...turn(2)], [...one, ...two]],
    [
      "no prompt that steered and was not seen",
      [prompt("p1"), start(1, "p1"), ...step(1, 1, ["1a"]), prompt("s", "steer"), undo(6), ...turn(2)],
      ["p1", "did 1a", ...two],
    ],
    [
      "a prompt that steered and was seen",
      [prompt("p1"), start(1, "p1"), ...step(1, 1, ["1a"]), prompt("s", "steer"), ...step(1, 2, ["1c"]), undo(11)],
      ["p1", "did 1a", "s", "did 1c"],
    ],
  ])("%s", (_name, bodies, expected) => expect(seen(bodies)).toEqual(expected));

  test("what people see in a transcript is the same", () => {
    const texts = (bodies: readonly DurableEventBody[]): string[] => toTranscript(stamped(bodies)).map(({ id }) => id);
    expect(texts([...both, undo(PER_TURN)])).toEqual(["p1", "turn-1"]);
    expect(texts([...both, undo(PER_TURN + 1), ...turn(3)])).toEqual(["p1", "turn-1", "p3", "turn-3"]);
  });
});

describe("the state after an undo", () => {
  test("has no turn and no queue, and tells how what waited ended", () => {
    const state = fold([...turn(1), prompt("p2"), start(2, "p2"), prompt("q"), undo(PER_TURN)]);
    expect(state.turn).toBeUndefined();
    expect(state.queue).toEqual([]);
    expect(state.open.size).toBe(0);
    expect(state.settled.map(({ operationId, status }) => [operationId, status])).toEqual([
      ["p2", "stopped"],
      ["q", "stopped"],
    ]);
  });

  test("counts turns and money on, and keeps title and model", () => {
    const usage = {
      type: "usage",
      turn: 1,
      step: 1,
      model: "m",
      inputTokens: 7,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 0,
      reasoningTokens: 0,
      usd: 2,
    } as const;
    const change = { type: "session-change", title: "Named", model: "other" } as const;
    const state = fold([...turn(1).slice(0, -1), usage, end(1), change, undo(0)]);
    expect(state).toMatchObject({ turns: 1, spent: { usd: 2, tokens: 7, steps: 2 }, title: "Named", model: "other" });
  });
});

describe("a point", () => {
  const events = stamped([...turn(1), ...turn(2), undo(PER_TURN), ...turn(3)]);
  test.each([
    [{ turn: 1 }, { seq: 1, tree: "t1" }],
    [
      { turn: 1, toolCallId: "1a" },
      { seq: PER_TURN - 4, tree: "t-1a" },
    ],
    [{ turn: 3 }, { seq: 2 * PER_TURN + 2, tree: "t3" }],
    [{ seq: 0 }, { seq: 0, tree: undefined }],
    // Before the undo, all of turn 2 counted.
    [{ seq: 2 * PER_TURN }, { seq: 2 * PER_TURN, tree: "e2" }],
    [{ seq: 2 * PER_TURN + 1 }, { seq: 2 * PER_TURN + 1, tree: "u" }],
  ])("%j is found", (point, expected) => expect(findPoint("s", events, point)).toEqual(expected));

  test.each([
    { turn: 2 },
    { turn: 2, toolCallId: "2a" },
    { turn: 4 },
    { turn: 1, toolCallId: "3a" },
    { seq: 3 },
    { seq: 999 },
  ])("%j is not", (point) =>
    expect(() => findPoint("s", events, point)).toThrow(expect.objectContaining({ code: "point-not-found" })),
  );
});

/** Random numbers from 0 to 1, the same ones for a seed. */
function randomOf(seed: number): () => number {
  let s = seed;
  return () => (s = (s * 16_807) % 2_147_483_647) / 2_147_483_647;
}

test("an event counts when it is on the way that the undos leave", () => {
  const random = randomOf(1);
  for (let round = 0; round < 300; round += 1) {
    const undos: UndoMark[] = [];
    // The slow way: what counted at each moment.
    const counted: number[][] = [[]];
    for (let seq = 1; seq <= 40; seq += 1) {
      const isUndo = random() < 0.2;
      const toSeq = Math.floor(random() * seq);
      if (isUndo) undos.push({ seq, toSeq });
      counted.push([...(counted[isUndo ? toSeq : seq - 1] ?? []), seq]);
    }
    const all = Array.from({ length: 40 }, (_, i) => i + 1);
    expect(all.filter((seq) => isLive(undos, seq))).toEqual(counted[40]);
  }
});

test("whatever is undone in whatever order, the conversation is legal, and nothing of it is there twice", () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const random = randomOf(seed);
    const events: DurableEvent[] = [];
    const add = (...bodies: DurableEventBody[]): void => {
      for (const body of bodies) events.push({ ...body, session: "s", seq: events.length + 1, at: 0 });
    };
    for (let n = 1; n <= 12; n += 1) {
      add(...turn(n));
      const live = liveEvents(events).filter((e) => e.type === "tool-result" || e.type === "turn-start");
      const at = live[Math.floor(random() * live.length)];
      if (!at || random() < 0.5) continue;
      const undone = events.length;
      const point = at.type === "tool-result" ? { turn: at.turn, toolCallId: at.toolCallId } : { turn: at.turn };
      add(undo(findPoint("s", events, point).seq));
      assertLegalMessages(events);
      if (random() < 0.3) {
        const before = toModelMessages(events.slice(0, undone), { mediaInResults: true });
        add(undo(findPoint("s", events, { seq: undone }).seq));
        expect(toModelMessages(events, { mediaInResults: true })).toEqual(before);
      }
    }
    assertLegalMessages(events);
    expect(events.reduce(applyEvent, EMPTY_STATE)).toMatchObject({ turns: 12, queue: [] });
  }
});
