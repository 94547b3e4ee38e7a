import type { ToolCallEvent, ToolResultEvent } from "@tenrec/protocol";
import { essentialArgument } from "../view/essential-argument.ts";
import { outcome } from "../view/outcome.ts";
import { durationText } from "../view/spent.ts";
import type { Paint } from "./paint.ts";

/** Widest name of a tool that the columns keep room for. */
const NAME_WIDTH = 6;
const SHORTEST_ARGUMENT = 20;

/** One line for a call that has its result: what it was about, and how it went. */
export function callLine(call: ToolCallEvent, result: ToolResultEvent, width: number, paint: Paint): string {
  const { ok, text } = outcome(result);
  const how = clip(text, Math.max(SHORTEST_ARGUMENT, Math.floor(width / 2)));
  const time = result.durationMs >= 100 ? `, ${durationText(result.durationMs)}` : "";
  const name = call.toolName.padEnd(NAME_WIDTH);
  const room = width - name.length - how.length - time.length - 6;
  const about = clip(essentialArgument(call), Math.max(SHORTEST_ARGUMENT, room));
  const mark = ok ? paint("green", "✓") : paint("red", "✗");
  const end = ok ? paint("dim", `${how}${time}`) : paint("red", `${how}${time}`);
  return `${mark} ${paint("bold", name)} ${about}  ${end}`;
}

/** At most `length` characters, the last one an ellipsis where some were cut. */
export function clip(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}
