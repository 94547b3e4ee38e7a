import { asSchema, generateText } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, it } from "vitest";
import { strictTools } from "./strict-tools.ts";
import { callTool, withTools } from "./with-tools.ts";

interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: Shape;
  readonly enum?: readonly unknown[];
}

const KEYWORDS = ["type", "properties", "required", "additionalProperties", "description", "enum", "items"];

/** What OpenAI refuses of the schema of a strict function. */
function refusedByOpenAi(shape: Shape, path: string, depth = 1): string[] {
  const { type = [], properties = {}, required = [], items } = shape;
  const types = [type].flat();
  const names = Object.keys(properties);
  const isNull = types.includes("null");
  const rules: Readonly<Record<string, boolean>> = {
    "a keyword is not known": Object.keys(shape).every((key) => KEYWORDS.includes(key)),
    "it has no type": types.length > 0,
    "it is open": !types.includes("object") || shape.additionalProperties === false,
    "required has not every field": names.toSorted().join() === required.toSorted().join(),
    "null is not among its words": shape.enum === undefined || shape.enum.includes(null) === isNull,
    "it has no items": !types.includes("array") || items !== undefined,
    "it is too deep": depth <= 10,
  };
  const own = Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : `${path}: ${rule}`));
  const inner = names.flatMap((name) => refusedByOpenAi(properties[name]!, `${path}.${name}`, depth + 1));
  return [...own, ...inner, ...(items ? refusedByOpenAi(items, `${path}[]`, depth + 1) : [])];
}

function allNull(shape: Shape, input: unknown): unknown {
  const { properties, items } = shape;
  if (items && Array.isArray(input)) return input.map((item) => allNull(items, item));
  if (!properties || typeof input !== "object" || input === null) return input;
  const given = input as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [name, allNull(inner, given[name] ?? null)]),
  );
}

describe("strictTools", () => {
  const preview = { fetch: () => Promise.resolve(new Response()), news: () => [], explained: () => Promise.resolve() };

  it("have schemas that OpenAI takes with strict, every one", () =>
    withTools(
      {},
      async ({ tools }) => {
        const strict = strictTools(tools);
        expect(Object.keys(strict)).toEqual(Object.keys(tools));
        for (const [name, { inputSchema }] of Object.entries(strict))
          expect(refusedByOpenAi((await asSchema(inputSchema).jsonSchema) as Shape, name)).toEqual([]);
      },
      { preview },
    ));

  it("go to the provider as strict, and the plain ones do not", () =>
    withTools({}, async ({ tools }) => {
      for (const [set, strict] of [
        [strictTools(tools), true],
        [tools, undefined],
      ] as const) {
        const model = new MockLanguageModelV4({
          doGenerate: {
            content: [{ type: "text", text: "Done." }],
            finishReason: { unified: "stop", raw: undefined },
            usage: {
              inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
              outputTokens: { total: 1, text: 1, reasoning: undefined },
            },
            warnings: [],
          },
        });
        await generateText({ model, tools: set, prompt: "Go" });
        const sent = model.doGenerateCalls[0]?.tools ?? [];
        expect(sent).toHaveLength(Object.keys(tools).length);
        for (const tool of sent) expect(tool.type === "function" && tool.strict).toBe(strict);
      }
    }));

  it.each<[string, unknown]>([
    ["read", { path: "a.txt" }],
    ["edit", { path: "a.txt", edits: [{ oldText: "one", newText: "1" }] }],
    ["ls", {}],
    ["glob", { pattern: "*" }],
    ["grep", { pattern: "one" }],
    ["bash", { command: "cat a.txt" }],
  ])("take %s with null wherever nothing is needed", (name, input) =>
    withTools({ "/a.txt": "one\n" }, async ({ tools, call, again }) => {
      const shape = (await asSchema(strictTools(tools)[name]!.inputSchema).jsonSchema) as Shape;
      const wanted = await call(name, input);
      const filled = allNull(shape, input);
      expect(Object.keys(filled as object)).toEqual(Object.keys(shape.properties ?? {}));
      expect(await callTool(strictTools(again().tools), name, filled)).toEqual(wanted);
    }),
  );

  it("still say what is wrong", () =>
    withTools({}, async ({ tools }) => {
      expect(await callTool(strictTools(tools), "read", { path: null })).toMatchObject({ isError: true });
    }));
});
