import type { DurableEventBody } from "@tenrec/protocol";
import { expect, test } from "vitest";
import { fold } from "./with-events.ts";

function turns(count: number): DurableEventBody[] {
  return Array.from({ length: count }, (_, i): DurableEventBody[] => [
    { type: "input", operationId: `o${i}`, parts: [], whenBusy: "followUp" },
    { type: "turn-start", turn: i + 1, operationIds: [`o${i}`], engine: "native", model: "m", tree: "t" },
    { type: "turn-end", turn: i + 1, reason: "done", text: "", tree: "t" },
  ]).flat();
}

test("what is settled costs later events nothing: it is told once and not kept", () => {
  const state = fold(turns(1000));
  expect(state.turns).toBe(1000);
  expect(state.open.size).toBe(0);
  expect(state.settled).toEqual([{ operationId: "o999", status: "done", text: "", turn: 1000 }]);
  expect(JSON.stringify({ ...state, open: [...state.open] }).length).toBeLessThan(1000);
});
