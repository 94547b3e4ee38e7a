import type { ToolOutput } from "@tenrec/protocol";
import { z } from "zod";
import type { CodingTool } from "./coding-tool.ts";
import { createCodingTool } from "./coding-tool.ts";
import { inputSchema } from "./input-schema.ts";
import { type OtherNames, withOwnNames } from "./other-names.ts";

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
  { todos: "items", plan: "items", explanation: undefined },
  withOwnItems,
);

const ITEM_NAMES: OtherNames<TodoItem> = {
  content: "text",
  step: "text",
  id: undefined,
  priority: undefined,
  activeForm: undefined,
};
const STATUSES: ReadonlyMap<unknown, TodoItem["status"]> = new Map([
  ["in_progress", "in-progress"],
  ["completed", "done"],
]);

/** Its items as other agents have them, too. */
function withOwnItems(input: unknown): unknown {
  if (typeof input !== "object" || input === null || !("items" in input) || !Array.isArray(input.items)) return input;
  const items = input.items.map((given: unknown) => {
    const item = withOwnNames(given, ITEM_NAMES);
    const status =
      typeof item === "object" && item !== null && "status" in item ? STATUSES.get(item.status) : undefined;
    return status === undefined ? item : { ...(item as object), status };
  });
  return { ...input, items };
}

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
