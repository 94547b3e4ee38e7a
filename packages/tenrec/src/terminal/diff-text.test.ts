import type { FileDiff } from "@tenrec/protocol";
import { expect, test } from "vitest";
import { diffText } from "./diff-text.ts";
import { choosePaint, coloured, plain } from "./paint.ts";

const patch = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\u001b[2J\n+new\n";
const diff: FileDiff = { path: "/x", change: "modify", binary: false, patch, added: 1, removed: 1 };
const image: FileDiff = { path: "/i.png", change: "create", binary: true, patch: "", added: 0, removed: 0 };

test("prints diffs and counts, and nothing that steers the terminal", () => {
  expect(diffText([diff, image], plain)).toBe(
    "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old�[2J\n+new\n\ni.png: binary file, created\n\n2 files changed, +1 −1",
  );
});

test("says where a binary file came from", () => {
  const moved: FileDiff = { ...image, change: "rename", from: "/o\u0007ld.png" };
  expect(diffText([moved], plain)).toBe("i.png: binary file, renamed from o�ld.png\n\n1 file changed, +0 −0");
});

test("colours what was added and removed", () => {
  const text = diffText([diff], coloured);
  expect(text).toContain("\u001b[32m+new\u001b[39m");
  expect(text).toContain("\u001b[31m-old�[2J\u001b[39m");
});

test.each([
  [true, {}, coloured],
  [false, {}, plain],
  [true, { NO_COLOR: "1" }, plain],
  [true, { NO_COLOR: "" }, coloured],
  [true, { TERM: "dumb" }, plain],
])("on a terminal: %s with %j", (isTerminal, env, expected) => expect(choosePaint(isTerminal, env)).toBe(expected));
