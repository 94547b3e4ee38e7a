import type { Edge } from "../../../../search/backtrack/expression.ts";
import { WORD } from "./parse-bracket.ts";

/** What is beside a place between characters: an end of the text, a part of a word, or something else. */
export type Beside = "edge" | "word" | "other";

/** Units of the character. */
export function sizeAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit < 0xdc00 && isPair(text, at) ? 2 : 1;
}

function isAsciiWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}

export function besideOf(text: string, at: number): Beside {
  if (at === 0) return "edge";
  const low = text.charCodeAt(at - 1);
  if (low < 128) return isAsciiWord(low) ? "word" : "other";
  const isHalf = low >= 0xdc00 && low < 0xe000 && at > 1 && isPair(text, at - 2);
  return WORD(text.slice(isHalf ? at - 2 : at - 1, at)) ? "word" : "other";
}

export function holds(edge: Edge, before: Beside, after: Beside): boolean {
  switch (edge) {
    case "text-start":
      return before === "edge";
    case "text-end":
      return after === "edge";
    case "word":
      return (before === "word") !== (after === "word");
    case "no-word":
      return (before === "word") === (after === "word");
    case "word-start":
      return before !== "word" && after === "word";
    default:
      return before === "word" && after !== "word";
  }
}
