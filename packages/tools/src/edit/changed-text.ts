import { MAX_OUTPUT_BYTES } from "@tenrec/protocol";
import { byteLength } from "../cap-output.ts";
import { nearestLines } from "./hint.ts";
import type { LinedText } from "./text-lines.ts";
import { lineAt } from "./text-lines.ts";

const MAX_WHOLE_LINES = 300;
const MAX_WHOLE_BYTES: number = MAX_OUTPUT_BYTES / 5;

export interface ChangedText {
  /** Why a change is refused, with the text as it is now. */
  readonly reason: string;
  /** All of the file is in it. */
  readonly isWhole: boolean;
}

/**
 * What a model is told of a change that does not surely fit a file that has changed since it was read: all of the text, or
 * where it comes closest to what the change looks for, which is `what` to the model.
 */
export function changedText(name: string, lined: LinedText, wanted: string, what = "oldText"): ChangedText {
  const last = lined.starts.length - 1;
  const count = lineAt(lined, last).content === "" ? last : last + 1;
  const isWhole = count <= MAX_WHOLE_LINES && byteLength(lined.text) <= MAX_WHOLE_BYTES;
  const lines = isWhole ? numbered(lined, count) : nearestLines(lined, wanted, what);
  const said = `${name} has changed since it was read, and ${what} is not in it exactly once. Its text now:`;
  return { reason: `${said}\n${lines}\nMake the change from this text, or read it again`, isWhole };
}

function numbered(lined: LinedText, count: number): string {
  if (count === 0) return "(it is empty)";
  return Array.from({ length: count }, (_, line) => `${line + 1}\t${lineAt(lined, line).content}`).join("\n");
}
