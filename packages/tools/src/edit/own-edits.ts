import { type OtherNames, withOwnNames } from "../other-names.ts";
import type { TextEdit } from "./target.ts";

const NAMES: OtherNames<TextEdit> = {
  old_string: "oldText",
  oldString: "oldText",
  old_str: "oldText",
  old_text: "oldText",
  new_string: "newText",
  newString: "newText",
  new_str: "newText",
  new_text: "newText",
  replace_all: "replaceAll",
  allow_multiple: "replaceAll",
};

/** An input whose edits have their own names; one edit may also stand beside the path, as the agents have it that make one. */
export function withOwnEdits(input: unknown): unknown {
  if (typeof input !== "object" || input === null) return input;
  if ("edits" in input) {
    const { edits } = input;
    return Array.isArray(edits) ? { ...input, edits: edits.map((edit) => withOwnNames(edit, NAMES)) } : input;
  }
  const { oldText, newText, replaceAll, ...rest } = withOwnNames(input, NAMES) as Record<string, unknown>;
  if (oldText === undefined && newText === undefined) return input;
  return { ...rest, edits: [{ oldText, newText, ...(replaceAll === undefined ? {} : { replaceAll }) }] };
}
