import { ANY, type CharSet, range, union } from "../regex/char-set.ts";
import { concat, either, EMPTY, type Syntax } from "../regex/syntax.ts";

export interface GlobOptions {
  readonly ignoreCase?: boolean;
  /** Let `*` and `?` match a `/` too. */
  readonly crossSlash?: boolean;
  /** Take a backslash for itself. */
  readonly plainBackslash?: boolean;
}

interface Reader extends GlobOptions {
  readonly glob: string;
  at: number;
  depth: number;
}

const MAX_DEPTH = 16;
const SLASH: Syntax = { kind: "set", set: range(47, 47, false) };
const NOT_SLASH: CharSet = { op: "not", of: range(47, 47, false) };
const ANYTHING: Syntax = many({ kind: "set", set: ANY });

/** Thrown for a glob that is not valid; an ignore file's line is then skipped, a caller's glob refused. */
export class GlobError extends Error {}

/**
 * A glob with the syntax of ripgrep's as an expression for a whole path: `*`, `?`, `[a-z]`, `[!a]`, `{a,b}`, a backslash, and
 * `**` where it stands between slashes.
 */
export function parseGlob(glob: string, options: GlobOptions = {}): Syntax {
  const reader: Reader = { ...options, glob, at: 0, depth: 0 };
  const syntax = parseParts(reader);
  if (reader.at < glob.length) throw new GlobError("`}` closes nothing");
  return syntax;
}

function parseParts(reader: Reader): Syntax {
  const parts: Syntax[] = [];
  for (;;) {
    const char = reader.glob.charAt(reader.at);
    if (char === "" || char === "}" || (char === "," && reader.depth > 0)) return concat(parts);
    parts.push(takeStars(reader) ?? parsePart(reader));
  }
}

/** `**` with the slashes around it; `undefined` where there is none, or where it is two plain stars. */
function takeStars(reader: Reader): Syntax | undefined {
  const { glob, at } = reader;
  const [text = "", before, after] = /^(\/?)\*\*(?:\/\*\*)*(\/?)/.exec(glob.slice(at)) ?? [];
  if (text === "") return undefined;
  const starts = before === "/" || at === 0 || "{,".includes(glob.charAt(at - 1));
  const end = glob.charAt(at + text.length);
  const ends = after === "/" || end === "" || (reader.depth > 0 && "},".includes(end));
  if (!starts || !ends) return undefined;
  reader.at += text.length;
  if (before === "/" && after === "/") return either([SLASH, concat([SLASH, ANYTHING, SLASH])]);
  if (after === "/") return either([EMPTY, concat([ANYTHING, SLASH])]);
  return before === "/" ? concat([SLASH, ANYTHING]) : ANYTHING;
}

function parsePart(reader: Reader): Syntax {
  const char = take(reader);
  switch (char) {
    case "*":
      return many(notSlash(reader));
    case "?":
      return notSlash(reader);
    case "[":
      return { kind: "set", set: parseClass(reader) };
    case "{":
      return parseAlternatives(reader);
    case "\\": {
      if (reader.plainBackslash) return plain(char, reader);
      const next = take(reader);
      if (next === "") throw new GlobError("it ends with a backslash");
      return plain(next, reader);
    }
    default:
      return plain(char, reader);
  }
}

function parseAlternatives(reader: Reader): Syntax {
  if (++reader.depth > MAX_DEPTH) throw new GlobError("its braces are nested too deep");
  const parts: Syntax[] = [];
  for (;;) {
    parts.push(parseParts(reader));
    const char = take(reader);
    if (char === "") throw new GlobError("`{` is not closed");
    if (char === "}") break;
  }
  reader.depth--;
  // As ripgrep has it, `a{,b}` is `ab` alone.
  const full = parts.filter((part) => part.kind !== "empty");
  return full.length > 0 ? either(full) : EMPTY;
}

function parseClass(reader: Reader): CharSet {
  const fold = reader.ignoreCase ?? false;
  const negated = "!^".includes(reader.glob.charAt(reader.at) || " ");
  if (negated) reader.at++;
  const items: CharSet[] = [];
  for (let first = true; ; first = false) {
    const char = take(reader);
    if (char === "") throw new GlobError("`[` is not closed");
    if (char === "]" && !first) break;
    const from = codeOf(char);
    if (reader.glob.charAt(reader.at) === "-" && !["]", ""].includes(reader.glob.charAt(reader.at + 1))) {
      reader.at++;
      const to = codeOf(take(reader));
      if (to < from) throw new GlobError("a range has its ends in the wrong order");
      items.push(range(from, to, fold));
    } else items.push(range(from, from, fold));
  }
  const set = union(items);
  return negated ? { op: "not", of: set } : set;
}

function take(reader: Reader): string {
  const code = reader.glob.codePointAt(reader.at);
  const char = code === undefined ? "" : String.fromCodePoint(code);
  reader.at += char.length;
  return char;
}

function plain(char: string, { ignoreCase }: Reader): Syntax {
  return { kind: "set", set: range(codeOf(char), codeOf(char), ignoreCase ?? false) };
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0;
}

function notSlash({ crossSlash }: Reader): Syntax {
  return { kind: "set", set: crossSlash ? ANY : NOT_SLASH };
}

function many(part: Syntax): Syntax {
  return { kind: "repeat", part, min: 0, max: Number.POSITIVE_INFINITY, lazy: false };
}
