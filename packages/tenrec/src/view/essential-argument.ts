import type { Json, ToolCallEvent } from "@tenrec/protocol";
import { oneLine } from "./one-line.ts";

type Fields = Readonly<Record<string, Json | undefined>>;

function fieldsOf(value: Json): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** What a call is about, as one line: the path, the pattern, the command. */
export function essentialArgument({ toolName, input }: Pick<ToolCallEvent, "toolName" | "input">): string {
  const fields = fieldsOf(input);
  return oneLine(describe(toolName, fields) || (input === null ? "" : JSON.stringify(input)));
}

function describe(toolName: string, fields: Fields): string {
  const path = text(fields["path"]);
  switch (toolName) {
    case "read":
    case "write":
    case "edit":
      return path;
    case "ls":
      return path || ".";
    case "grep":
    case "glob":
      return [text(fields["pattern"]), path && `in ${path}`].filter(Boolean).join(" ");
    case "bash":
      return text(fields["command"]);
    case "preview":
      return [text(fields["method"]), path].filter(Boolean).join(" ");
    case "web_fetch":
      return text(fields["url"]);
    case "apply_patch":
      return patchedPaths(text(fields["patch"]));
    case "todo":
      return currentItem(fields["items"]);
    default:
      return "";
  }
}

/** The files that a patch names, of either format. */
function patchedPaths(patch: string): string {
  const names = patch.matchAll(/^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ b\/|deleted file .*\n--- a\/)(.+)$/gm);
  return Array.from(names, ([, name = ""]) => name.trim()).join(", ");
}

/** The item that is being worked on. */
function currentItem(items: Json | undefined): string {
  if (!Array.isArray(items)) return "";
  const current = items.map(fieldsOf).find((item) => item["status"] === "in-progress");
  return text(current?.["text"]) || `${items.length} items`;
}
