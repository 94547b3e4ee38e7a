import type { GroupedMatch } from "../../../search/backtrack/backtracker.ts";
import { characterAt } from "./escapes.ts";

/** What takes the place of a match: text, groups of it by number, and letters that change the case of what follows. */
export type Replacement = readonly (string | number | { readonly change: CaseChange })[];

type CaseChange = "U" | "L" | "u" | "l" | "E";

/** The right-hand side of `s`. */
export function parseReplacement(source: string): Replacement {
  const parts: (string | number | { change: CaseChange })[] = [];
  let text = "";
  const add = (part: number | { change: CaseChange }): void => {
    if (text !== "") parts.push(text);
    text = "";
    parts.push(part);
  };
  for (let at = 0; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === "&") add(0);
    else if (char !== "\\") text += char;
    else {
      const next = source.charAt(++at);
      const found = characterAt(source, at);
      if (/\d/.test(next)) add(Number(next));
      else if (/[ULulE]/.test(next)) add({ change: next as CaseChange });
      else text += found?.char ?? next;
      at += found ? found.length - 1 : 0;
    }
  }
  if (text !== "") parts.push(text);
  return parts;
}

/** The number of the last group that it names. */
export function highestGroup(replacement: Replacement): number {
  return Math.max(0, ...replacement.map((part) => (typeof part === "number" ? part : 0)));
}

/** The text for one match. */
export function expandReplacement(replacement: Replacement, text: string, { captures }: GroupedMatch): string {
  let out = "";
  let lasting: CaseChange = "E";
  let once: CaseChange = "E";
  for (const part of replacement) {
    if (typeof part === "object") {
      if (part.change === "u" || part.change === "l") once = part.change;
      else lasting = part.change;
      continue;
    }
    const piece = typeof part === "string" ? part : groupOf(text, captures, part);
    out += withCase(piece, once, lasting);
    if (piece !== "") once = "E";
  }
  return out;
}

function groupOf(text: string, captures: readonly number[], group: number): string {
  const start = captures[2 * group] ?? -1;
  return start === -1 ? "" : text.slice(start, captures[2 * group + 1]);
}

/** `once` is for the first character. */
function withCase(text: string, once: CaseChange, lasting: CaseChange): string {
  if (once === "E") return cased(text, lasting);
  const [first = "", ...rest] = text;
  return cased(first, once) + cased(rest.join(""), lasting);
}

function cased(text: string, change: CaseChange): string {
  if (change === "E") return text;
  return change === "U" || change === "u" ? text.toUpperCase() : text.toLowerCase();
}
