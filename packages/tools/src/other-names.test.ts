import { describe, expect, it } from "vitest";
import { callTool, withTools } from "./with-tools.ts";

const FILES = { "/src/a.ts": "const one = 1;\nconst two = 2;\n", "/b.md": "one\n" };
const PATCH = "*** Begin Patch\n*** Update File: b.md\n-one\n+1\n*** End Patch";

// Claude Code, opencode, gemini-cli, Codex, cline, pi and the text editor tool of Anthropic's API.
describe("the names that other agents have", () => {
  it.each<[tool: string, given: unknown, own: unknown]>([
    ["read", { file_path: "src/a.ts", limit: 1 }, { path: "src/a.ts", limit: 1 }],
    ["read", { filePath: "src/a.ts" }, { path: "src/a.ts" }],
    ["read", { absolute_path: "/workspace/src/a.ts" }, { path: "src/a.ts" }],
    ["write", { file_path: "c", content: "x" }, { path: "c", content: "x" }],
    ["write", { path: "c", file_text: "x" }, { path: "c", content: "x" }],
    [
      "edit",
      { file_path: "b.md", old_string: "one", new_string: "1" },
      { path: "b.md", edits: [{ oldText: "one", newText: "1" }] },
    ],
    [
      "edit",
      { filePath: "src/a.ts", oldString: "const", newString: "let", replaceAll: true },
      { path: "src/a.ts", edits: [{ oldText: "const", newText: "let", replaceAll: true }] },
    ],
    [
      "edit",
      { file_path: "src/a.ts", old_string: "const", new_string: "let", replace_all: true },
      { path: "src/a.ts", edits: [{ oldText: "const", newText: "let", replaceAll: true }] },
    ],
    ["edit", { path: "b.md", old_str: "one", new_str: "" }, { path: "b.md", edits: [{ oldText: "one", newText: "" }] }],
    [
      "edit",
      {
        file_path: "src/a.ts",
        edits: [
          { old_string: "one", new_string: "1" },
          { oldText: "two", newText: "2" },
        ],
      },
      {
        path: "src/a.ts",
        edits: [
          { oldText: "one", newText: "1" },
          { oldText: "two", newText: "2" },
        ],
      },
    ],
    [
      "edit",
      { path: "b.md", oldText: "none", newText: "1" },
      { path: "b.md", edits: [{ oldText: "none", newText: "1" }] },
    ],
    ["ls", { dir_path: "src" }, { path: "src" }],
    ["glob", { glob_pattern: "*.ts", target_directory: "src" }, { pattern: "*.ts", path: "src" }],
    [
      "grep",
      { pattern: "ONE", include: "*.ts", output_mode: "files_with_matches", "-i": true, "-n": true, head_limit: 5 },
      { pattern: "ONE", glob: "*.ts", mode: "files", ignoreCase: true, limit: 5 },
    ],
    ["grep", { regex: "one", path: ".", file_pattern: "*.md" }, { pattern: "one", glob: "*.md" }],
    ["bash", { cmd: "echo x", description: "Says x" }, { command: "echo x" }],
    [
      "todo",
      { todos: [{ content: "a", status: "in_progress", activeForm: "doing a", id: "1", priority: "high" }] },
      { items: [{ text: "a", status: "in-progress" }] },
    ],
    [
      "todo",
      {
        explanation: "so",
        plan: [
          { step: "a", status: "completed" },
          { step: "b", status: "pending" },
        ],
      },
      {
        items: [
          { text: "a", status: "done" },
          { text: "b", status: "pending" },
        ],
      },
    ],
    ["apply_patch", { input: PATCH }, { patch: PATCH }],
    ["apply_patch", { patchText: PATCH }, { patch: PATCH }],
    ["web_fetch", { url: "https://example.com/", prompt: "What is it?" }, { url: "https://example.com/" }],
  ])("%s %j", (name, given, own) =>
    withTools(FILES, async (first) => {
      const wanted = await first.call(name, own);
      const second = first.again();
      expect(await second.call(name, given)).toEqual(wanted);
      expect(wanted).not.toMatchObject({ data: { code: "tool-input-invalid" } });
      expect(await second.commit()).toBe(await first.commit());
    }),
  );

  it("are not told to the model", () =>
    withTools(FILES, async ({ tools }) => {
      const { asSchema } = await import("ai");
      for (const { inputSchema } of Object.values(tools)) {
        const { properties = {} } = await asSchema(inputSchema).jsonSchema;
        expect(Object.keys(properties).filter((name) => /_|^(todos|cmd|input)$/.test(name))).toEqual([]);
      }
    }));

  it("beside the own name are refused, whatever they say", () =>
    withTools(FILES, async ({ tools }) => {
      const { text } = await callTool(tools, "read", { path: "b.md", file_path: "src/a.ts" });
      expect(text).toMatch(/Unrecognized key: "file_path"/);
    }));

  it("of what a call needs are shown when it is not understood", () =>
    withTools(FILES, async ({ tools }) => {
      const { text, isError } = await callTool(tools, "todo", { list: ["a"] });
      expect(isError).toBe(true);
      expect(text).toContain('A call is {"items":[{"text":"…","status":"pending"}]}.');
    }));
});
