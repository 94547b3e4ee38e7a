import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { TreeStore } from "@tenrec/vfs";
import { MockLanguageModelV4 } from "ai/test";
import { mapTools } from "./with-own-files.ts";
import { withStorage } from "./with-storage.ts";
import { work } from "./with-workspace.ts";
import { callTool } from "./with-tools.ts";
import type { CodingTools } from "./coding-tool.ts";

const here = (name: string): Promise<string> => readFile(`${import.meta.dirname}/${name}`, "utf8");

type Content = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>["content"][number];

function answer(content: Content): Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>> {
  const isCall = content.type === "tool-call";
  return {
    content: [content],
    finishReason: { unified: isCall ? "tool-calls" : "stop", raw: undefined },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 1, text: 1, reasoning: undefined },
    },
    warnings: [],
  };
}

describe("the examples of the README", () => {
  it.each(["with-own-files.ts", "with-workspace.ts"])("has %s, which compiles", async (name) => {
    const example = (await here(name)).replaceAll("./index.ts", "@tenrec/tools");
    expect(await here("../README.md")).toContain(`\`\`\`ts\n${example}\`\`\``);
  });

  it("lets a model work on a tree, and commits what it did", () =>
    withStorage(async (storage) => {
      const store = new TreeStore(storage);
      store.setHead("main", store.emptyTree);
      const model = new MockLanguageModelV4({
        doGenerate: [
          answer({
            type: "tool-call",
            toolCallId: "1",
            toolName: "write",
            input: '{"path":"a.ts","content":"x = 1;\\n"}',
          }),
          answer({ type: "tool-call", toolCallId: "2", toolName: "bash", input: '{"command":"grep -c x a.ts > b"}' }),
          answer({ type: "text", text: "Done." }),
        ],
      });
      expect(await work(store, model, "Write it")).toBe("Done.");
      const fs = store.overlay(store.head("main"));
      expect([await fs.readFile("/a.ts"), await fs.readFile("/b")]).toEqual(["x = 1;\n", "1\n"]);
      expect(model.doGenerateCalls[0]?.tools?.map(({ name }) => name)).toContain("web_fetch");
    }));

  it("works on a map of files", async () => {
    const tools = mapTools(new Map()) as CodingTools;
    expect((await callTool(tools, "write", { path: "a.txt", content: "hi\n" })).text).toBe(
      "Created a.txt: 1 line, 3 bytes",
    );
    expect((await callTool(tools, "read", { path: "a.txt" })).text).toBe("1\thi");
    expect((await callTool(tools, "read", { path: "b.txt" })).text).toMatch(/^No such file/);
  });
});
