import type { DurableEvent, StreamedDelta } from "@tenrec/protocol";
import { expect, test } from "vitest";
import { freshEvents } from "./fresh-events.ts";

function delta(text: string, offset: number, id = "0"): StreamedDelta {
  return { type: "text-delta", session: "s", turn: 1, step: 1, id, text, offset };
}

function stepStart(seq: number): DurableEvent {
  return { type: "step-start", session: "s", seq, at: 0, turn: 1, step: 1, attempt: 1 };
}

test("durable events pass once", () => {
  const fresh = freshEvents(2);
  expect(fresh.take(stepStart(2))).toBeUndefined();
  expect(fresh.take(stepStart(3))).toMatchObject({ seq: 3 });
  expect(fresh.take(stepStart(3))).toBeUndefined();
  expect(fresh.after).toBe(3);
});

test("of a text that is repeated, only what is new passes", () => {
  const fresh = freshEvents(0);
  expect(fresh.take(delta("The ", 0))).toMatchObject({ text: "The ", offset: 0 });
  expect(fresh.take(delta("The quick ", 0))).toMatchObject({ text: "quick ", offset: 4 });
  expect(fresh.take(delta("The quick ", 0))).toBeUndefined();
  expect(fresh.take(delta("fox", 10))).toMatchObject({ text: "fox", offset: 10 });
  expect(fresh.take(delta("Other", 0, "1"))).toMatchObject({ text: "Other" });
});

test("a step that begins anew streams its text anew", () => {
  const fresh = freshEvents(0);
  fresh.take(delta("The quick ", 0));
  fresh.take(stepStart(1));
  expect(fresh.take(delta("A slow ", 0))).toMatchObject({ text: "A slow ", offset: 0 });
});
