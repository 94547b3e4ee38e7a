import type { Schema } from "ai";
import { asSchema, jsonSchema } from "ai";
import type { CodingTool, CodingTools } from "./coding-tool.ts";

/**
 * The same tools for a provider that holds a model to their schemas, as OpenAI does with `strict`: a call has every field,
 * and `null` in those that it can do without. By default nothing is strict, and a call has the fields that it needs.
 */
export function strictTools(tools: CodingTools): CodingTools {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, strictTool(tool)]));
}

function strictTool(tool: CodingTool): CodingTool {
  const { jsonSchema: shape, validate } = asSchema(tool.inputSchema);
  const inputSchema = jsonSchema(async () => withAllFields(await shape), validate && { validate });
  return Object.assign({ ...tool, inputSchema }, { strict: true }) as CodingTool;
}

type JsonSchema = Awaited<Schema["jsonSchema"]>;

function withAllFields(schema: JsonSchema): JsonSchema {
  const { properties, required = [], items } = schema;
  const inner = items && typeof items === "object" && !Array.isArray(items) ? { items: withAllFields(items) } : {};
  if (!properties) return { ...schema, ...inner };
  const fields = Object.entries(properties).map(([name, field]): [string, JsonSchema] => {
    const whole = withAllFields(field as JsonSchema);
    return [name, required.includes(name) ? whole : orNull(whole)];
  });
  return { ...schema, properties: Object.fromEntries(fields), required: Object.keys(properties) };
}

function orNull(schema: JsonSchema): JsonSchema {
  const types = [schema.type ?? []].flat();
  if (types.includes("null")) return schema;
  return { ...schema, type: [...types, "null"], ...(schema.enum ? { enum: [...schema.enum, null] } : {}) };
}
