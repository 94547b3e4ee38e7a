import { TenrecError } from "@tenrec/protocol";

/** A piece of a text to be replaced, by offsets in the text as it was. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Which edit it belongs to, for the model. */
  readonly label: string;
}

/** The text with all pieces replaced. Throws `tool-failed` when two of them overlap. */
export function applyReplacements(text: string, replacements: readonly Replacement[], name: string): string {
  const inOrder = replacements.toSorted((a, b) => a.start - b.start);
  const parts: string[] = [];
  let at = 0;
  let previous: Replacement | undefined;
  for (const replacement of inOrder) {
    if (previous && replacement.start < previous.end) throw overlap(previous, replacement, name);
    parts.push(text.slice(at, replacement.start), replacement.text);
    at = replacement.end;
    previous = replacement;
  }
  return parts.concat(text.slice(at)).join("");
}

function overlap(a: Replacement, b: Replacement, name: string): TenrecError<"tool-failed"> {
  const reason = `${a.label} and ${b.label} overlap in ${name}. Merge them into one edit`;
  return new TenrecError("tool-failed", { tool: "edit", reason });
}
