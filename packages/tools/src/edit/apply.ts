import { TenrecError } from "@tenrec/protocol";

/** A piece of a text to be replaced, by offsets in the text as it was. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Which edit it belongs to, for the model. */
  readonly label: string;
}

/** The pieces in their order in the text. Throws `tool-failed` when two of them overlap. */
export function inOrder(replacements: readonly Replacement[], name: string): readonly Replacement[] {
  const sorted = replacements.toSorted((a, b) => a.start - b.start);
  for (const [index, { start, label }] of sorted.entries()) {
    const previous = sorted[index - 1];
    if (!previous || start >= previous.end) continue;
    const reason = `${previous.label} and ${label} overlap in ${name}. Merge them into one edit`;
    throw new TenrecError("tool-failed", { tool: "edit", reason });
  }
  return sorted;
}

/** A text, or the part of it from `from` to `to`, with the pieces in it replaced, which come in order. */
export function applyReplacements(
  text: string,
  replacements: readonly Pick<Replacement, "start" | "end" | "text">[],
  from = 0,
  to: number = text.length,
): string {
  const parts: string[] = [];
  let at = from;
  for (const replacement of replacements) {
    parts.push(text.slice(at, replacement.start), replacement.text);
    at = replacement.end;
  }
  parts.push(text.slice(at, to));
  return parts.join("");
}
