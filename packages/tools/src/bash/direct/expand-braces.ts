import type { Word } from "../syntax-nodes.ts";
import type { WordPart } from "./nodes.ts";
import { refuse } from "./scope.ts";

/** More are left to just-bash, which counts them. */
const MAX_WORDS = 1000;

type Braces = Extract<WordPart, { type: "BraceExpansion" }>;

/** The words that a word with braces stands for. */
export function expandBraces(word: Word): readonly Word[] {
  const at = word.parts.findIndex((part) => part.type === "BraceExpansion");
  const braces = word.parts[at];
  if (braces?.type !== "BraceExpansion") return [word];
  const [before, after] = [word.parts.slice(0, at), word.parts.slice(at + 1)];
  // The items may have braces in turn, and so may what follows.
  const words = itemsOf(braces).flatMap((parts) =>
    expandBraces({ type: "Word", parts: [...before, ...parts, ...after] }),
  );
  if (words.length > MAX_WORDS) refuse("many words of braces");
  return words;
}

function itemsOf({ items }: Braces): (readonly WordPart[])[] {
  return items.flatMap((item) => (item.type === "Word" ? [item.word.parts] : rangeOf(item)));
}

function rangeOf(item: Extract<Braces["items"][number], { type: "Range" }>): WordPart[][] {
  const { start, end, step = 1 } = item;
  const isPadded = [item.startStr, item.endStr].some((text) => /^-?0\d/.test(text ?? ""));
  if (typeof start !== "number" || typeof end !== "number" || isPadded || step === 0)
    return refuse("a range of letters");
  const by = Math.abs(step) * (start <= end ? 1 : -1);
  const count = Math.floor((end - start) / by) + 1;
  if (count > MAX_WORDS) refuse("a long range");
  return Array.from({ length: count }, (_, at) => [{ type: "Literal", value: String(start + at * by) }]);
}
