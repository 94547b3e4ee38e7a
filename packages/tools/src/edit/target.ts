import type { NormalizedText } from "./normalize.ts";
import { normalizeText } from "./normalize.ts";
import type { LinedText } from "./text-lines.ts";
import { linesOf } from "./text-lines.ts";

export interface TextEdit {
  oldText: string;
  newText: string;
  replaceAll?: boolean | undefined;
}

/** A file's text, its lines found once for all edits of a call, and normalised only when an edit needs it. */
export interface EditTarget extends LinedText {
  normalized(): NormalizedText;
}

export function createTarget(text: string): EditTarget {
  const lined = linesOf(text);
  let normalized: NormalizedText | undefined;
  return { ...lined, normalized: () => (normalized ??= normalizeText(lined)) };
}
