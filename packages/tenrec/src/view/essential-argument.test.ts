import { expect, test } from "vitest";
import { essentialArgument } from "./essential-argument.ts";

test.each([
  ["read", { path: "src/a.ts", offset: 3 }, "src/a.ts"],
  ["write", { path: "a.txt", content: "long\ntext" }, "a.txt"],
  ["ls", {}, "."],
  ["grep", { pattern: "a|b", path: "src" }, "a|b in src"],
  ["glob", { pattern: "**/*.ts" }, "**/*.ts"],
  ["bash", { command: "cd a &&\n  ls\n" }, "cd a && ⏎ ls"],
  ["web_fetch", { url: "https://example.com/a" }, "https://example.com/a"],
  [
    "todo",
    {
      items: [
        { text: "one", status: "done" },
        { text: "two", status: "in-progress" },
      ],
    },
    "two",
  ],
  ["todo", { items: [{ text: "one", status: "done" }] }, "1 items"],
  ["apply_patch", { patch: "*** Begin Patch\n*** Add File: a\n+1\n*** Delete File: b c\n*** End Patch" }, "a, b c"],
  ["apply_patch", { patch: "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n" }, "x"],
  ["apply_patch", { patch: "deleted file mode 100644\n--- a/x\n+++ /dev/null\n" }, "x"],
  ["deploy", { to: "prod" }, '{"to":"prod"}'],
  ["read", { path: 3 }, '{"path":3}'],
  ["read", null, ""],
  ["bash", { command: "printf '\u001b[31m\u202e'" }, "printf '�[31m�'"],
])("of %s with %j is %j", (toolName, input, expected) => {
  expect(essentialArgument({ toolName, input })).toBe(expected);
});
