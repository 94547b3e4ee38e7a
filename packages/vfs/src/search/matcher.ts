import { type GrepQuery, TenrecError } from "@tenrec/protocol";
import { RE2JS } from "re2js";
import { requiredLiteral } from "./required-literal.ts";

/** A part of a text. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A compiled query. */
export interface Matcher {
  /** Text that a line must contain to match; search for it first. Absent when nothing is certain. */
  readonly literal?: string;
  /** The literal is in lower case and meant for a text in lower case. */
  readonly foldCase: boolean;
  /** Whether a line matches; absent when it does as soon as it contains the literal. */
  readonly testLine?: (line: string) => boolean;
  /** The next match from an offset in a whole text; only for a multiline query. */
  readonly find?: (text: string, from: number) => Span | undefined;
}

/** Characters of a regular expression that mean something else than themselves. */
const META = /[\\^$.|?*+()[\]{}]/;
/** What a word does not consist of, beside the ends of a line. */
const NOT_WORD = "[^\\p{L}\\p{M}\\p{N}\\p{Pc}]";

/** `EINVAL` for a pattern that is not valid, or that wants to match a line end without `multiline`. */
export function compileQuery(query: GrepQuery): Matcher {
  const { pattern, ignoreCase = false, word = false, multiline = false } = query;
  const plain = query.literal === true || !META.test(pattern);
  if (!multiline && spansLines(pattern, plain)) {
    throw new TenrecError("EINVAL", { path: pattern, reason: "it matches a line end, which needs `multiline`" });
  }
  const literal = prefilter(plain ? pattern : requiredLiteral(pattern), ignoreCase);
  const found: Pick<Matcher, "literal" | "foldCase"> = { ...(literal ? { literal } : {}), foldCase: ignoreCase };
  if (multiline) return { ...found, find: finder(query, plain) };
  // What is in lower case may still differ, and a word has its ends: only this case needs no second look.
  if (plain && !word && !ignoreCase) return found;
  return { ...found, testLine: lineTest(query, plain) };
}

// Beyond ASCII, characters that match each other may have several lower cases.
function prefilter(required: string | undefined, ignoreCase: boolean): string | undefined {
  if (!ignoreCase) return required;
  return required !== undefined && /^[\x20-\x7e]*$/.test(required) ? required.toLowerCase() : undefined;
}

function source({ pattern, word }: GrepQuery, plain: boolean): string {
  const text = plain ? RE2JS.quote(pattern) : pattern;
  return word ? `(?:^|${NOT_WORD})(?:${text})(?:$|${NOT_WORD})` : text;
}

function compile(query: GrepQuery, plain: boolean, flags: number): RE2JS {
  try {
    // On its own first: joined with the text around it, a lone parenthesis could pass.
    if (query.word && !plain) RE2JS.compile(query.pattern);
    return RE2JS.compile(source(query, plain), flags | (query.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0));
  } catch (error) {
    throw new TenrecError("EINVAL", {
      path: query.pattern,
      reason: error instanceof Error ? error.message : "not valid",
    });
  }
}

function lineTest(query: GrepQuery, plain: boolean): (line: string) => boolean {
  const expression = compile(query, plain, 0);
  return (line) => expression.test(line);
}

function finder(query: GrepQuery, plain: boolean): (text: string, from: number) => Span | undefined {
  const expression = compile(query, plain, RE2JS.MULTILINE);
  let of: { text: string; matcher: ReturnType<RE2JS["matcher"]> } | undefined;
  return (text, from) => {
    if (of?.text !== text) of = { text, matcher: expression.matcher(text) };
    return of.matcher.find(from) ? { start: of.matcher.start(), end: of.matcher.end() } : undefined;
  };
}

function spansLines(pattern: string, plain: boolean): boolean {
  return pattern.includes("\n") || (!plain && /(?<!\\)(?:\\\\)*\\n/.test(pattern));
}
