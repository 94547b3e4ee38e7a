import { expect, test } from "vitest";
import { problemWith } from "./check-work.ts";
import { ANSWER, answersOf, nameOf, scriptOf, treeAfter, treeFiles, type Work, workOf } from "./work.ts";

const work: Work = { kind: "mixed", steps: 6 };
const turn = { text: `Step 6. ${ANSWER}`, calls: 7, bytes: 0, rows: 0 };
const check = { answers: answersOf(work), files: treeAfter(work) };

test("a turn that did all of its work has no problem", () => {
  expect(problemWith(work, turn, check)).toBeUndefined();
});

test.each([
  { name: "another answer", turn: { ...turn, text: "no" }, check, problem: 'the answer is "no"' },
  { name: "a model call too many", turn: { ...turn, calls: 8 }, check, problem: "8 model calls, not 7" },
  {
    name: "a result that is missing",
    turn,
    check: { ...check, answers: check.answers.slice(1) },
    problem: "5 results of tools",
  },
  {
    name: "a tool that failed",
    turn,
    check: { ...check, answers: check.answers.with(1, "failed: no such file") },
    problem: 'step 2 was told "failed: no such file"',
  },
  {
    name: "a tree without the edits",
    turn,
    check: { ...check, files: treeFiles() },
    problem: "is not as it should be",
  },
  {
    name: "a file too many",
    turn,
    check: { ...check, files: [...check.files, { path: "/workspace/more", text: "" }] },
    problem: "501 files, not 500",
  },
])("$name is one", (row) => {
  expect(problemWith(work, row.turn, row.check)).toContain(row.problem);
});

test("each edit finds its text once, and changes a file that no other edit changes", () => {
  const edits: Work = { kind: "edits", steps: 100 };
  const before = new Map(treeFiles().map(({ path, text }) => [path, text]));
  const changed = treeAfter(edits).filter(({ path, text }) => before.get(path) !== text);
  expect(changed).toHaveLength(100);
  const script = JSON.stringify(scriptOf(edits));
  for (const { path } of changed) expect(script.split(`"${path}"`)).toHaveLength(2);
});

test.each<Work>([work, { kind: "edits", steps: 1 }])("the name of $kind, $steps says what it is", (named) => {
  expect(workOf(nameOf(named))).toEqual(named);
  expect(scriptOf(named).steps).toHaveLength(named.steps + 1);
});
