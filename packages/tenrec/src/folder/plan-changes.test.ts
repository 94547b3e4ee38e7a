import { expect, test } from "vitest";
import { baseOf } from "./base.ts";
import { planChanges } from "./plan-changes.ts";
import { entriesOf, type Tree } from "./with-folder.ts";

// Seen on disk only where names of the same letters are one, so the order is looked at here.
test.each<[string, Tree, Tree, first: string[], last: string[]]>([
  ["moved: the new one first", { a: "1" }, { b: "1" }, [], ["/a"]],
  ["to the same letters: the old one goes first", { "D/Read": "1" }, { "d/read": "1" }, ["/D/Read"], []],
  ["to another form of the same letters", { "e\u0301": "1" }, { "\u00e9": "1" }, ["/e\u0301"], []],
  ["a file becomes a folder", { a: "1" }, { "a/b": "1" }, ["/a"], []],
  ["a folder becomes a file", { "a/b/c": "1", d: "1" }, { a: "1" }, ["/a/b/c"], ["/d"]],
])("what is deleted before the writes, and what after: %s", async (_, base, session, first, last) => {
  const plan = await planChanges(await baseOf(entriesOf(base)), entriesOf(session));
  expect(plan.firstDeletions.map(({ path }) => path)).toEqual(first);
  expect(plan.lastDeletions.map(({ path }) => path)).toEqual(last);
});

test("the bytes of what was not changed are let go, and the last of two entries of a path counts", async () => {
  const base = await baseOf(entriesOf({ a: "1", b: "1" }));
  const entries = [...entriesOf({ a: "2", b: "2" }), ...entriesOf({ a: "1" })];
  const plan = await planChanges(base, entries);
  expect(plan.writes.map(({ path }) => path)).toEqual(["/b"]);
  expect(plan.untouched).toBe(1);
});
