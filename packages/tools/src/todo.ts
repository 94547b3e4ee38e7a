import type { ToolOutput } from "@tenrec/protocol";
import { z } from "zod";
import type { CodingTool } from "./coding-tool.ts";
import { createCodingTool } from "./coding-tool.ts";
import { inputSchema } from "./input-schema.ts";

export interface TodoItem {
  text: string;
  status: "pending" | "in-progress" | "done";
}

export interface TodoInput {
  items: TodoItem[];
}

const MARKS = { pending: "[ ]", "in-progress": "[>]", done: "[x]" };

/** The list as text; `data` carries it for a user interface. Keeps nothing: the journal holds the last one. */
export function listTodos({ items }: TodoInput): ToolOutput {
  const open = items.filter(({ status }) => status !== "done").length;
  const lines = items.map(({ text, status }) => `${MARKS[status]} ${text}`);
  const data = { items: items.map(({ text, status }) => ({ text, status })) };
  return { text: [`${open} of ${items.length} to do`, ...lines].join("\n"), data };
}

const schema = inputSchema<TodoInput>(
  z.strictObject({
    items: z.array(z.strictObject({ text: z.string().min(1), status: z.enum(["pending", "in-progress", "done"]) })),
  }),
);

/** The `todo` tool. */
export function createTodoTool(): CodingTool {
  return createCodingTool<TodoInput>({
    name: "todo",
    description: "Keep a plan for work of three or more steps. Send the whole list each time.",
    schema,
    traits: { replay: "pure", permission: "read" },
    run: (input) => Promise.resolve(listTodos(input)),
  });
}
