import { concat, EMPTY, type Syntax } from "./syntax.ts";

/**
 * A shorter expression that matches somewhere in a text exactly when this one does: a repetition at either end needs no
 * more than its minimum, as the rest of such a match is one too.
 */
export function trimForTest(syntax: Syntax): Syntax {
  return trimEnd(trimEnd(syntax, "first"), "last");
}

function trimEnd(syntax: Syntax, end: "first" | "last"): Syntax {
  switch (syntax.kind) {
    case "concat": {
      const at = end === "first" ? 0 : syntax.parts.length - 1;
      const part = syntax.parts[at];
      if (!part) return EMPTY;
      const shorter = trimEnd(part, end);
      const trimmed = concat(syntax.parts.with(at, shorter));
      // When the part is gone, the next one is at the end.
      return shorter.kind === "empty" ? trimEnd(trimmed, end) : trimmed;
    }
    case "either":
      return { kind: "either", parts: syntax.parts.map((part) => trimEnd(part, end)) };
    case "repeat": {
      const { part, min, lazy } = syntax;
      if (min === 0) return EMPTY;
      const outer = trimEnd(part, end);
      if (min === 1) return outer;
      const rest: Syntax = { kind: "repeat", part, min: min - 1, max: min - 1, lazy };
      return concat(end === "first" ? [outer, rest] : [rest, outer]);
    }
    default:
      return syntax;
  }
}
