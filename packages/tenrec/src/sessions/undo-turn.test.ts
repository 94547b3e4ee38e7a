import type { DurableEvent, DurableEventBody } from "@tenrec/protocol";
import { describe, expect, test } from "vitest";
import { UsageError } from "../cli/usage-error.ts";
import { readUndo, undoPoint } from "./undo-turn.ts";

function stamped(bodies: readonly DurableEventBody[]): DurableEvent[] {
  return bodies.map((body, i) => ({ ...body, session: "s", seq: i + 1, at: 0 }));
}

const turn = (n: number): DurableEventBody[] => [
  { type: "turn-start", turn: n, operationIds: [], engine: "native", model: "m", tree: "t" },
  { type: "turn-end", turn: n, reason: "done", text: "", tree: "t" },
];
const undo = (toSeq: number): DurableEventBody => ({ type: "undo", toSeq, fromTree: "t", tree: "t" });

describe("what is taken back", () => {
  test.each<[string, DurableEventBody[], number | "last" | "redo", unknown]>([
    ["a turn by its number", [], 3, { turn: 3 }],
    ["the last turn", [...turn(1), ...turn(2)], "last", { turn: 2 }],
    ["the last one that is left", [...turn(1), ...turn(2), undo(2)], "last", { turn: 1 }],
    ["the undo", [...turn(1), ...turn(2), undo(2)], "redo", { seq: 4 }],
    ["the newest undo that counts", [...turn(1), undo(0), undo(2), ...turn(2), undo(3)], "redo", { seq: 6 }],
  ])("is %s", (_name, bodies, wanted, expected) => expect(undoPoint(stamped(bodies), wanted)).toEqual(expected));

  test.each<[string, DurableEventBody[], "last" | "redo"]>([
    ["no turn", [], "last"],
    ["none left", [...turn(1), undo(0)], "last"],
    ["no undo", turn(1), "redo"],
    ["a turn since", [...turn(1), undo(0), ...turn(2)], "redo"],
  ])("is refused with %s", (_name, bodies, wanted) =>
    expect(() => undoPoint(stamped(bodies), wanted)).toThrow(UsageError),
  );
});

test.each([
  [{}, [], "last"],
  [{ turn: ["12"] }, [], 12],
  [{}, ["redo"], "redo"],
])("%j %j is %j", (values, switches, expected) =>
  expect(readUndo({ values: new Map(Object.entries(values)), switches: new Set(switches) })).toBe(expected),
);

test.each([
  [{ turn: ["0"] }, []],
  [{ turn: ["x"] }, []],
  [{ turn: ["1"] }, ["redo"]],
])("%j %j is refused", (values, switches) =>
  expect(() => readUndo({ values: new Map(Object.entries(values)), switches: new Set(switches) })).toThrow(UsageError),
);
