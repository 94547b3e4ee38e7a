import type { Schema } from "ai";
import { jsonSchema } from "ai";
import { z } from "zod";
import { type OtherNames, withOwnNames } from "./other-names.ts";

// Keywords that some provider refuses in its strict mode; the same rules are checked here when the call arrives.
const UNSUPPORTED = ["minimum", "maximum", "minLength", "minItems", "maxItems", "$schema", "default"];

/**
 * A tool's input: its JSON schema in the keywords that every provider's strict mode knows, and zod's checks behind it.
 * What is optional may also be `null`, since a strict mode makes a model write every field. `names` are what else a model may
 * call the fields; `prepare` turns what else it may write, under their own names, into what the schema says. Neither is told.
 */
export function inputSchema<Input>(
  schema: z.ZodType<Input>,
  names: OtherNames<Input> = {},
  prepare: (value: unknown) => unknown = (value) => value,
): Schema<Input> {
  const parse = (value: unknown): z.ZodSafeParseResult<Input> => schema.safeParse(prepare(withOwnNames(value, names)));
  return jsonSchema<Input>(() => portable(z.toJSONSchema(schema, { io: "input", target: "draft-7" })), {
    validate: (value) => {
      const result = parse(value);
      if (result.success) return { success: true, value: result.data };
      const without = parse(withoutNulls(value));
      return without.success ? { success: true, value: without.data } : { success: false, error: result.error };
    },
  });
}

/** Without the fields that are `null`. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(kept.map(([key, field]) => [key, withoutNulls(field)]));
}

/** A field for text that goes into a file or is looked for in one. Half of a surrogate pair would be lost in UTF-8. */
export function textField(): z.ZodString {
  return z.string().refine((text) => text.isWellFormed(), "has half of a character (a lone surrogate)");
}

type JsonSchema = Awaited<Schema["jsonSchema"]>;

function portable(schema: object): JsonSchema {
  const kept = Object.entries(schema).filter(([key]) => !UNSUPPORTED.includes(key));
  const required = "required" in schema ? (schema.required as readonly string[]) : [];
  return Object.fromEntries(kept.map(([key, value]) => [key, portableValue(key, value, required)])) as JsonSchema;
}

function portableValue(key: string, value: unknown, required: readonly string[]): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if (key !== "properties") return portable(value);
  const properties = Object.entries(value as Readonly<Record<string, object>>);
  return Object.fromEntries(
    properties.map(([name, property]) => {
      const schema = portable(property);
      return [name, required.includes(name) ? schema : nullable(schema)];
    }),
  );
}

/**
 * Not one of fixed words, nor of true and false: a model can take the one that is the default, and providers differ on `null`
 * among words.
 */
function nullable(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  return typeof type === "string" && type !== "boolean" && !schema.enum ? { ...schema, type: [type, "null"] } : schema;
}
