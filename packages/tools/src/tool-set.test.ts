import { createSearch } from "@tenrec/vfs";
import { asSchema } from "ai";
import { describe, expect, it } from "vitest";
import { callTool, withTools } from "./with-tools.ts";
import { createTools } from "./tool-set.ts";
import type { CodingTools } from "./coding-tool.ts";

const ORDER = ["read", "write", "edit", "ls", "glob", "grep", "bash", "todo", "apply_patch", "web_fetch"];

/** What goes over the wire for the tools of a request, as OpenAI's format has it. */
async function sent(tools: CodingTools): Promise<string> {
  const list = await Promise.all(
    Object.entries(tools).map(async ([name, { description, inputSchema }]) => ({
      type: "function",
      function: { name, description, parameters: await asSchema(inputSchema).jsonSchema },
    })),
  );
  return JSON.stringify(list);
}

/** All keys of a JSON schema that are keywords, and not names of fields. */
function keywords(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return [];
  return Object.entries(schema).flatMap(([key, value]) => [
    key,
    ...(key === "properties" ? Object.values(value as object).flatMap(keywords) : keywords(value)),
  ]);
}

describe("createTools", () => {
  it("has all tools in a fixed order", () =>
    withTools({}, ({ tools }) => Promise.resolve(expect(Object.keys(tools)).toEqual(ORDER))));

  it("leaves out what needs the internet where there is none", () =>
    withTools({}, ({ fs }) => {
      const gate = { require: () => undefined };
      const outputs = { save: () => "", read: () => undefined };
      const seen = { last: () => undefined, see: () => undefined };
      const search = createSearch(fs);
      const changed = () => [];
      const tools = createTools({ fs, search, gate, outputs, seen, changed, executors: [], operationId: "1" });
      expect(Object.keys(tools)).toEqual(ORDER.filter((name) => name !== "web_fetch"));
      return Promise.resolve();
    }));

  it("adds the preview at the end where there is one", () =>
    withTools({}, ({ tools }) => Promise.resolve(expect(Object.keys(tools)).toEqual([...ORDER, "preview"])), {
      preview: { fetch: () => Promise.resolve(new Response()), news: () => [], explained: () => Promise.resolve() },
    }));

  it("tells a model about them in well under 5 KB, the same each time", () =>
    withTools({}, async ({ tools, again }) => {
      const text = await sent(tools);
      expect(new TextEncoder().encode(text).byteLength).toBeLessThan(4900);
      expect(await sent(again().tools)).toBe(text);
    }));

  it("uses no keyword that a provider's strict mode refuses", () =>
    withTools({}, async ({ tools }) => {
      const known = ["type", "properties", "required", "additionalProperties", "description", "enum", "items"];
      for (const { inputSchema } of Object.values(tools)) {
        const schema = await asSchema(inputSchema).jsonSchema;
        expect(keywords(schema).filter((key) => !known.includes(key))).toEqual([]);
        expect(schema.additionalProperties).toBe(false);
      }
    }));

  it("makes a set in much less than a millisecond", () =>
    withTools({}, ({ again }) => {
      const started = performance.now();
      for (let n = 0; n < 200; n += 1) again();
      expect((performance.now() - started) / 200).toBeLessThan(2);
      return Promise.resolve();
    }));

  it.each([
    ["read", "pure", "read"],
    ["write", "transaction", "edit"],
    ["edit", "transaction", "edit"],
    ["ls", "pure", "read"],
    ["glob", "pure", "read"],
    ["grep", "pure", "read"],
    ["bash", "transaction", "edit"],
    ["todo", "pure", "read"],
    ["apply_patch", "transaction", "edit"],
    ["web_fetch", "pure", "network"],
  ])("%s is %s and %s", (name, replay, permission) =>
    withTools({}, ({ tools }) => Promise.resolve(expect(tools[name]?.traits).toEqual({ replay, permission }))),
  );

  it("gives a model text, or text and files, or an error", () =>
    withTools(
      { "/a.txt": "a", "/p.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
      async ({ tools }) => {
        const shown = async (path: string) =>
          tools["read"]?.toModelOutput?.({
            toolCallId: "1",
            input: { path },
            output: await callTool(tools, "read", { path }),
          });
        expect(await shown("a.txt")).toEqual({ type: "text", value: "1\ta" });
        expect(await shown("b.txt")).toMatchObject({
          type: "error-text",
          value: expect.stringContaining("No such file"),
        });
        expect(await shown("p.png")).toMatchObject({
          type: "content",
          value: [
            { type: "text" },
            { type: "file", mediaType: "image/png", data: { type: "data", data: "iVBORw0KGgo=" } },
          ],
        });
      },
    ));
});

// A call that was cut off before its commit runs again: it must do the same, and a `pure` one nothing.
describe("replay", () => {
  const files = { "/a.txt": "one\ntwo\n", "/src/b.ts": "export {};\n" };
  it.each<[string, unknown]>([
    ["read", { path: "a.txt" }],
    ["ls", {}],
    ["glob", { pattern: "*" }],
    ["grep", { pattern: "o" }],
    ["web_fetch", { url: "https://example.com" }],
    ["todo", { items: [{ text: "x", status: "done" }] }],
    ["write", { path: "new/c.txt", content: "c" }],
    ["edit", { path: "a.txt", edits: [{ oldText: "two", newText: "2" }] }],
    [
      "apply_patch",
      {
        patch:
          "*** Begin Patch\n*** Update File: a.txt\n*** Move to: d/a.txt\n-one\n+1\n*** Delete File: src/b.ts\n*** End Patch",
      },
    ],
    [
      "bash",
      {
        command:
          "sed -i s/one/1/ a.txt; mkdir d; mv src/b.ts d/; echo $RANDOM > /dev/null; date > /dev/null; ls d >> log",
      },
    ],
  ])("%s", (name, input) =>
    withTools(files, async (first) => {
      const before = first.fs.tree;
      const output = await first.call(name, input);
      // Dropped without a commit, as when the object dies.
      const second = first.again();
      expect(await second.call(name, input)).toEqual(output);
      const tree = await second.commit();
      const third = first.again();
      await third.call(name, input);
      expect(await third.commit()).toBe(tree);
      expect(tree === before).toBe(first.tools[name]?.traits.replay === "pure");
    }),
  );
});
