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
  ["deploy", { to: "prod" }, '{"to":"prod"}'],
  ["read", { path: 3 }, '{"path":3}'],
  ["read", null, ""],
  ["bash", { command: "printf '\u001b[31m\u202e'" }, "printf '�[31m�'"],
])("of %s with %j is %j", (toolName, input, expected) => {
  expect(essentialArgument({ toolName, input })).toBe(expected);
});
