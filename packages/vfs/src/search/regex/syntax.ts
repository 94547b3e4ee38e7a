import type { CharSet } from "./char-set.ts";

/** A place between two characters that an assertion is about. */
export type Look =
  | "line-start"
  | "line-end"
  | "crlf-line-start"
  | "crlf-line-end"
  | "text-start"
  | "text-end"
  | "word-edge"
  | "no-word-edge"
  | "word-start"
  | "word-end"
  | "word-start-half"
  | "word-end-half";

/** A regular expression, parsed. Groups are gone: nothing here captures. */
export type Syntax =
  | { readonly kind: "empty" }
  | { readonly kind: "set"; readonly set: CharSet }
  | { readonly kind: "look"; readonly look: Look; readonly ascii: boolean }
  | { readonly kind: "concat"; readonly parts: readonly Syntax[] }
  | { readonly kind: "either"; readonly parts: readonly Syntax[] }
  | Repeat;

export interface Repeat {
  readonly kind: "repeat";
  readonly part: Syntax;
  readonly min: number;
  /** `Infinity` for no upper bound. */
  readonly max: number;
  readonly lazy: boolean;
}

export const EMPTY: Syntax = { kind: "empty" };

export function concat(parts: readonly Syntax[]): Syntax {
  const flat = parts.flatMap((part) => (part.kind === "concat" ? part.parts : part.kind === "empty" ? [] : [part]));
  const [only] = flat;
  if (only === undefined) return EMPTY;
  return flat.length === 1 ? only : { kind: "concat", parts: flat };
}

/** One of these; of none, what never matches. */
export function either(parts: readonly Syntax[]): Syntax {
  const [only] = parts;
  if (only === undefined) return { kind: "set", set: { op: "or", of: [] } };
  return parts.length === 1 ? only : { kind: "either", parts };
}

/** Every set of characters in an expression. */
export function* setsOf(syntax: Syntax): Generator<CharSet> {
  switch (syntax.kind) {
    case "set":
      yield syntax.set;
      break;
    case "concat":
    case "either":
      for (const part of syntax.parts) yield* setsOf(part);
      break;
    case "repeat":
      yield* setsOf(syntax.part);
      break;
    default:
  }
}

/** An expression with other sets of characters. */
export function mapSets(syntax: Syntax, change: (set: CharSet) => CharSet): Syntax {
  switch (syntax.kind) {
    case "set":
      return { ...syntax, set: change(syntax.set) };
    case "concat":
    case "either":
      return { ...syntax, parts: syntax.parts.map((part) => mapSets(part, change)) };
    case "repeat":
      return { ...syntax, part: mapSets(syntax.part, change) };
    default:
      return syntax;
  }
}

/** Whether an expression has one of these assertions. */
export function hasLook(syntax: Syntax, looks: readonly Look[]): boolean {
  switch (syntax.kind) {
    case "look":
      return looks.includes(syntax.look);
    case "concat":
    case "either":
      return syntax.parts.some((part) => hasLook(part, looks));
    case "repeat":
      return hasLook(syntax.part, looks);
    default:
      return false;
  }
}
