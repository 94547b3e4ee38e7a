import { type GrepQuery, TenrecError } from "@tenrec/protocol";
import { type CharSet, namedChars, onlyChar, range, toTest } from "./regex/char-set.ts";
import { parseLiteral, parsePattern } from "./regex/parse-pattern.ts";
import { concat, either, hasLook, type Look, mapSets, setsOf, type Syntax } from "./regex/syntax.ts";

/** What of a query says which lines match. */
export type PatternQuery = Pick<
  GrepQuery,
  "pattern" | "literal" | "ignoreCase" | "smartCase" | "word" | "wholeLine" | "multiline" | "dotAll" | "crlf"
>;

export interface CompiledQuery {
  readonly syntax: Syntax;
  /** Matches may span lines: the whole of a text is needed at once. */
  readonly wholeText: boolean;
}

const NEW_LINE = 10;
const RETURN = 13;

/** `EINVAL` for a pattern that is not valid, or that wants to match a line end without `multiline`. */
export function compileQuery(query: PatternQuery): CompiledQuery {
  const patterns = typeof query.pattern === "string" ? [query.pattern] : query.pattern;
  const fold = query.ignoreCase === true || (query.smartCase === true && isLowerCase(query, patterns));
  const syntax = bounded(query, either(patterns.map((pattern) => parse(query, pattern, fold))));
  return { syntax, wholeText: query.multiline === true && spansLines(syntax) };
}

function parse({ literal, dotAll, crlf, multiline }: PatternQuery, pattern: string, fold: boolean): Syntax {
  const flags = { fold, dotAll: dotAll ?? false, crlf: crlf ?? false };
  const syntax = literal ? parseLiteral(pattern, fold) : parsePattern(pattern, flags);
  if (!multiline && [...setsOf(syntax)].some((set) => onlyChar(set) === NEW_LINE)) {
    const reason = "it matches a line end, which needs `multiline`";
    throw new TenrecError("EINVAL", { path: pattern.slice(0, 1000), reason });
  }
  return crlf && !multiline ? mapSets(syntax, withoutReturn) : syntax;
}

/** What ends a line is matched by none of the classes that have it; who asks for a carriage return alone means it. */
function withoutReturn(set: CharSet): CharSet {
  return onlyChar(set) === RETURN || !toTest(set)(RETURN)
    ? set
    : { op: "minus", of: [set, range(RETURN, RETURN, false)] };
}

function bounded({ word, wholeLine, crlf }: PatternQuery, syntax: Syntax): Syntax {
  if (wholeLine) {
    return concat([look(crlf ? "crlf-line-start" : "line-start"), syntax, look(crlf ? "crlf-line-end" : "line-end")]);
  }
  return word ? concat([look("word-start-half"), syntax, look("word-end-half")]) : syntax;
}

function look(kind: Look): Syntax {
  return { kind: "look", look: kind, ascii: false };
}

function spansLines(syntax: Syntax): boolean {
  return hasLook(syntax, ["text-start", "text-end"]) || [...setsOf(syntax)].some((set) => toTest(set)(NEW_LINE));
}

/** Smart case: some character stands for itself, and none in upper case does. */
function isLowerCase({ literal }: PatternQuery, patterns: readonly string[]): boolean {
  const chars = patterns.flatMap((pattern) => {
    const syntax = literal ? parseLiteral(pattern, false) : parsePattern(pattern);
    return [...setsOf(syntax)].flatMap(namedChars);
  });
  return chars.length > 0 && !chars.some((char) => /\p{Lu}/u.test(String.fromCodePoint(char)));
}
