import { asSchema } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { inputSchema } from "./input-schema.ts";
import { withTools } from "./with-tools.ts";

interface ObjectSchema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: ObjectSchema;
  readonly enum?: readonly unknown[];
}

/** Keywords that OpenAI, Anthropic and Gemini all know in their strict modes. */
const KEYWORDS = ["type", "properties", "required", "additionalProperties", "description", "enum", "items"];

/** What a provider with a strict mode would refuse of a schema, once it requires every field. */
function refusals(schema: ObjectSchema, path = "input"): string[] {
  const { type, properties = {}, required = [], additionalProperties, items } = schema;
  const unknown = Object.keys(schema).filter((key) => !KEYWORDS.includes(key));
  const own = unknown.map((key) => `${path} has the keyword ${key}`);
  if (type === "object" && additionalProperties !== false) own.push(`${path} is open`);
  if (type === "array" && !items) own.push(`${path} has no items`);
  for (const [name, property] of Object.entries(properties)) {
    const hasDefault = property.enum !== undefined || property.type === "boolean";
    const isFree = required.includes(name) || hasDefault || [property.type].flat().includes("null");
    if (!isFree) own.push(`${path}.${name} would need a value`);
    own.push(...refusals(property, `${path}.${name}`));
  }
  return items ? [...own, ...refusals(items, `${path}[]`)] : own;
}

/** An input in which everything is there, and `null` or a default where nothing is needed. */
function filled(schema: ObjectSchema, sample: unknown): unknown {
  const { properties, required = [], items } = schema;
  if (items && Array.isArray(sample)) return sample.map((item) => filled(items, item));
  if (!properties || typeof sample !== "object" || sample === null) return sample;
  const given = sample as Readonly<Record<string, unknown>>;
  const entries = Object.entries(properties).map(([name, property]) => {
    if (required.includes(name)) return [name, filled(property, given[name])];
    return [name, property.type === "boolean" ? false : (property.enum?.[0] ?? null)];
  });
  return Object.fromEntries(entries);
}

const SAMPLES: Readonly<Record<string, unknown>> = {
  read: { path: "a.txt" },
  write: { path: "new.txt", content: "" },
  edit: { path: "a.txt", edits: [{ oldText: "one", newText: "1" }] },
  ls: {},
  glob: { pattern: "*" },
  grep: { pattern: "one" },
  bash: { command: "true" },
  todo: { items: [{ text: "a", status: "done" }] },
  apply_patch: { patch: "*** Begin Patch\n*** Update File: a.txt\n-one\n+1\n*** End Patch" },
  web_fetch: { url: "https://example.com/" },
};

describe("the schema of every tool", () => {
  it("is one that strict providers accept", () =>
    withTools({}, async ({ tools }) => {
      expect(Object.keys(tools).toSorted()).toEqual(Object.keys(SAMPLES).toSorted());
      for (const [name, { inputSchema: schema }] of Object.entries(tools)) {
        expect(refusals((await asSchema(schema).jsonSchema) as ObjectSchema, name)).toEqual([]);
      }
    }));

  it.each(Object.entries(SAMPLES))("lets %s be called with every field, as strict providers do", (name, sample) =>
    withTools({ "/a.txt": "one\n" }, async ({ tools, call, again }) => {
      const schema = (await asSchema(tools[name]!.inputSchema).jsonSchema) as ObjectSchema;
      const wanted = await call(name, sample);
      expect(wanted).not.toHaveProperty("isError");
      expect(await again().call(name, filled(schema, sample))).toEqual(wanted);
    }),
  );
});

describe("inputSchema", () => {
  it("keeps a null that a schema asks for", async () => {
    const schema = inputSchema(z.strictObject({ a: z.string().nullable(), b: z.number().optional() }));
    expect(await schema.validate?.({ a: null })).toEqual({ success: true, value: { a: null } });
  });

  it("says of what is wrong what the model wrote", async () => {
    const schema = inputSchema(z.strictObject({ a: z.string(), b: z.number().optional() }));
    const result = await schema.validate?.({ a: null, b: null });
    expect(result).toMatchObject({ success: false, error: { message: expect.stringContaining("received null") } });
  });
});
