import { expect, test } from "vitest";
import { patchLines } from "./patch-lines.ts";

test("a patch may have a second part", () => {
  const kinds = patchLines(
    "diff --git a/x b/x\n--- a/x\n@@ -1 +0,0 @@\n-x\ndiff --git a/x b/x\n+++ b/x\n@@ -0,0 +1 @@\n+y\n",
  );
  expect(kinds.map(({ kind }) => kind)).toEqual(["file", "file", "hunk", "removed", "file", "file", "hunk", "added"]);
});

test("tells changed lines from the names of the files", () => {
  const patch = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n--- removed\n+++ added\n\\ No newline at end of file\n";
  expect(patchLines(patch)).toEqual([
    { kind: "file", text: "--- a/x" },
    { kind: "file", text: "+++ b/x" },
    { kind: "hunk", text: "@@ -1,2 +1,2 @@" },
    { kind: "same", text: " same" },
    { kind: "removed", text: "--- removed" },
    { kind: "added", text: "+++ added" },
    { kind: "same", text: "\\ No newline at end of file" },
  ]);
});
