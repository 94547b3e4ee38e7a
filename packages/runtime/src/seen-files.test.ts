import type { DurableEventBody } from "@tenrec/protocol";
import { expect, test } from "vitest";
import { callSeen, lastSeen } from "./seen-files.ts";
import { fold, toolResult, turnStart } from "./with-events.ts";

const sees = (hash: string, path = "/a"): DurableEventBody =>
  ({ ...toolResult("c"), seen: { [path]: hash } }) as DurableEventBody;
const undo = (toSeq: number): DurableEventBody => ({ type: "undo", toSeq, fromTree: "t", tree: "t" });

test.each<[string, DurableEventBody[], string | undefined]>([
  ["nothing", [turnStart, toolResult("c")], undefined],
  ["the newest content", [sees("1"), sees("2"), toolResult("d")], "2"],
  ["what was seen before what an undo took back", [sees("1"), sees("2"), undo(1)], "1"],
  ["nothing that an undo took back", [turnStart, sees("1"), undo(1)], undefined],
  ["what was seen again after an undo", [turnStart, sees("1"), undo(1), sees("1")], "1"],
  ["what an undo of an undo brings back", [sees("1"), sees("2"), undo(1), undo(2)], "2"],
  ["nothing after the conversation began anew", [sees("1"), { type: "reset" }], undefined],
])("a model knows %s", (_name, events, hash) => {
  expect(lastSeen(fold(events), "/a")).toBe(hash);
});

test("what is read again and again is kept once", () => {
  expect(fold([sees("1"), sees("1"), sees("2"), sees("1")]).seen.get("/a")).toHaveLength(3);
});

test("a call knows what it saw itself, and tells of nothing else", () => {
  const seen = callSeen(() => fold([sees("1"), sees("2", "/b")]));
  seen.see("/a", "3");
  expect([seen.last("/a"), seen.last("/b"), seen.last("/c")]).toEqual(["3", "2", undefined]);
  expect(seen.added).toEqual({ "/a": "3" });
});
