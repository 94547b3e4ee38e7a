import type { Json } from "@tenrec/protocol";
import { expect, test } from "vitest";
import { outcome } from "./outcome.ts";

test.each<[string, string, Json | undefined, string]>([
  ["grep", "a: 1\nb: 2", { more: false }, "2 lines"],
  ["grep", "No match", undefined, "No match"],
  ["ls", "src/\na.ts 12", undefined, "2 lines"],
  ["glob", "a\n", { paths: 1, more: false }, "1 path"],
  ["read", "1\ta", { path: "a", offset: 1, lines: 1 }, "1 line"],
  ["write", "Created a", { created: true, lines: 22 }, "new, 22 lines"],
  ["write", "Overwrote a", { created: false, lines: 1 }, "1 line"],
  ["edit", "Edited a", { added: 3, removed: 0 }, "+3 −0"],
  ["apply_patch", "Patched 1 file", { added: 3, removed: 1 }, "+3 −1"],
  ["bash", "a\nb\n", { exitCode: 0 }, "2 lines"],
  ["todo", "3 of 4 to do\n[ ] a", { items: [] }, "3 of 4 to do"],
  ["preview", "GET /api/200: 404 Not Found\ncontent-type: text/plain", { status: 404 }, "404 Not Found"],
  ["preview", "Nothing else is new.", undefined, "Nothing else is new."],
  ["deploy", "Done\nmore", undefined, "Done"],
])("of %s that answers %j is good", (toolName, text, data, expected) => {
  const output = data === undefined ? { text } : { text, data };
  expect(outcome({ toolName, status: "ok", output })).toEqual({ ok: true, text: expected });
});

test.each([
  ["error", "No such file\nUse ls", undefined, "No such file"],
  ["denied", "The user refused", undefined, "denied: The user refused"],
  ["interrupted", "Unknown", undefined, "interrupted: Unknown"],
  ["ok", "a\n[exit code 2]", { exitCode: 2 }, "exit code 2"],
] as const)("with status %s is bad", (status, text, data, expected) => {
  const output = data === undefined ? { text } : { text, data };
  expect(outcome({ toolName: "bash", status, output })).toEqual({ ok: false, text: expected });
});

test("a preview that answers with a failure of the app is bad", () => {
  const output = { text: "GET /: 500 Internal Server Error\n\nno", data: { status: 500 } };
  expect(outcome({ toolName: "preview", status: "ok", output })).toEqual({
    ok: false,
    text: "500 Internal Server Error",
  });
});
