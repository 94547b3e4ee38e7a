import type { Json, ToolResultEvent } from "@tenrec/protocol";
import { oneLine } from "./one-line.ts";

type Fields = Readonly<Record<string, Json | undefined>>;

export interface Outcome {
  readonly ok: boolean;
  readonly text: string;
}

function count(amount: number, word: string): string {
  return `${amount} ${word}${amount === 1 ? "" : "s"}`;
}

function number(value: Json | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** How a call went, in a few words; of a failed one, what it said. */
export function outcome({
  toolName,
  status,
  output,
}: Pick<ToolResultEvent, "toolName" | "status" | "output">): Outcome {
  const [first = ""] = output.text.trim().split("\n");
  if (status !== "ok") return { ok: false, text: status === "error" ? oneLine(first) : `${status}: ${oneLine(first)}` };
  const data: Fields = typeof output.data === "object" && output.data !== null ? (output.data as Fields) : {};
  const code = number(data["exitCode"]);
  if (code !== undefined && code !== 0) return { ok: false, text: `exit code ${code}` };
  // What the app answered; an answer that says that something is wrong with the request may be what was to be shown.
  const answered = toolName === "preview" ? number(data["status"]) : undefined;
  if (answered !== undefined)
    return { ok: answered < 500, text: oneLine(first.slice(first.lastIndexOf(`${answered}`))) };
  return { ok: true, text: describe(toolName, output.text, data) ?? oneLine(first) };
}

function describe(toolName: string, text: string, data: Fields): string | undefined {
  const lines = text === "" ? 0 : text.trimEnd().split("\n").length;
  const [added, removed] = [number(data["added"]), number(data["removed"])];
  const shown = number(data["lines"]);
  const found = number(data["paths"]);
  switch (toolName) {
    case "grep":
      return "more" in data ? count(lines, "line") : undefined;
    case "ls":
      return count(lines, "line");
    case "glob":
      return found === undefined ? undefined : count(found, "path");
    case "read":
      return shown === undefined ? undefined : count(shown, "line");
    case "write":
      return shown === undefined ? undefined : `${data["created"] === true ? "new, " : ""}${count(shown, "line")}`;
    case "edit":
    case "apply_patch":
      return added === undefined || removed === undefined ? undefined : `+${added} −${removed}`;
    case "bash":
      return "exitCode" in data ? count(lines, "line") : undefined;
    default:
      return undefined;
  }
}
