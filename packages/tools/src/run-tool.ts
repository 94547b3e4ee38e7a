import { TenrecError } from "@tenrec/protocol";
import type { Tool } from "ai";
import { asSchema } from "ai";

/**
 * The validated input of a call, for a tool with any schema the AI SDK accepts. `input` is the value, or its JSON text as
 * the model wrote it; empty text is `{}`, which models send for a call without arguments.
 * Throws `tool-input-invalid` with a reason that names the field and what it should be.
 */
export async function parseToolInput(
  tool: Pick<Tool, "inputSchema">,
  input: unknown,
  toolName: string,
): Promise<unknown> {
  const value = typeof input === "string" ? parseText(input, toolName) : input;
  const schema = asSchema(tool.inputSchema);
  const result = await schema.validate?.(value);
  if (!result || result.success) return result ? result.value : value;
  const shape = await schema.jsonSchema;
  const example = JSON.stringify(exampleOf(shape));
  const call = example === "{}" ? "" : ` A call is ${example}.`;
  throw invalid(toolName, explain(result.error, Object.keys(shape.properties ?? {})) + call);
}

/** What of a JSON schema an example is made of. */
interface Shape {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: unknown;
  readonly enum?: readonly unknown[] | undefined;
}

/** The fields that a call needs, with something in them. */
function exampleOf(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return "…";
  const { type, properties = {}, required = [], items, enum: words } = schema as Shape;
  if (words) return words[0];
  if (type === "array") return [exampleOf(items)];
  if (type === "object") return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name])]));
  if (type === "number" || type === "integer") return 1;
  return type === "boolean" ? true : "…";
}

function parseText(text: string, toolName: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(toolName, `they are not JSON (${(error as Error).message})`);
  }
}

function invalid(tool: string, reason: string): TenrecError<"tool-input-invalid"> {
  return new TenrecError("tool-input-invalid", { tool, reason });
}

/** An issue as zod and every Standard Schema library report it. */
interface Issue {
  readonly message: string;
  readonly path?: readonly unknown[];
}

const SHOWN_ISSUES = 5;

function explain(error: Error, fields: readonly string[]): string {
  const issues = issuesOf(error);
  if (!issues) return error.message;
  const lines = issues.slice(0, SHOWN_ISSUES).map(describe);
  return `${lines.join("; ")}. Its fields: ${fields.join(", ")}.`;
}

function issuesOf(error: Error): readonly Issue[] | undefined {
  for (const holder of [error, error.cause]) {
    if (Array.isArray(holder)) return holder as Issue[];
    if (holder instanceof Error && "issues" in holder && Array.isArray(holder.issues)) return holder.issues as Issue[];
  }
  return undefined;
}

function describe({ message, path = [] }: Issue): string {
  const said = message.replace(/^Invalid input: /, "");
  // A Standard Schema library may give a segment as `{ key }`.
  const names = path.map((part) => String(typeof part === "object" && part && "key" in part ? part.key : part));
  return names.length ? `${names.join(".")}: ${said}` : said;
}
