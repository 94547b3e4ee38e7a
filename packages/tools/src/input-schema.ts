import type { Schema } from "ai";
import { jsonSchema } from "ai";
import { z } from "zod";

// Keywords that some provider refuses in its strict mode; the same rules are checked here when the call arrives.
const UNSUPPORTED = ["minimum", "maximum", "minLength", "minItems", "maxItems", "$schema", "default"];

/** A tool's input: its JSON schema in the keywords that every provider's strict mode knows, and zod's checks behind it.
 * `prepare` turns what a model may write instead into that. */
export function inputSchema<Input>(
  schema: z.ZodType<Input>,
  prepare: (value: unknown) => unknown = (value) => value,
): Schema<Input> {
  return jsonSchema<Input>(() => portable(z.toJSONSchema(schema, { io: "input", target: "draft-7" })), {
    validate: (value) => {
      const result = schema.safeParse(prepare(value));
      return result.success ? { success: true, value: result.data } : { success: false, error: result.error };
    },
  });
}

/** A field for text that goes into a file or is looked for in one. Half of a surrogate pair would be lost in UTF-8. */
export function textField(): z.ZodString {
  return z.string().refine((text) => text.isWellFormed(), "has half of a character (a lone surrogate)");
}

type JsonSchema = Awaited<Schema["jsonSchema"]>;

function portable(schema: object): JsonSchema {
  const kept = Object.entries(schema).filter(([key]) => !UNSUPPORTED.includes(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, portableValue(key, value)])) as JsonSchema;
}

function portableValue(key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if (key !== "properties") return portable(value);
  return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, portable(property as object)]));
}
