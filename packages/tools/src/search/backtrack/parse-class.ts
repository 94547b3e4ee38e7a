import { enter, type PatternCursor, peek, refuse, take, takeIf, takeMatch } from "./pattern-cursor.ts";

export const WORD = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";

const POSIX: Readonly<Record<string, string>> = {
  alnum: "\\p{Alphabetic}\\p{Nd}",
  alpha: "\\p{Alphabetic}",
  ascii: "\\x00-\\x7f",
  blank: "\\t ",
  cntrl: "\\p{Cc}",
  digit: "0-9",
  graph: "[^\\p{White_Space}\\p{C}]",
  lower: "\\p{Lowercase}",
  print: "[^\\p{C}]",
  punct: "\\p{P}\\p{S}",
  space: "\\p{White_Space}",
  upper: "\\p{Uppercase}",
  word: WORD,
  xdigit: "0-9A-Fa-f",
};

const CONTROL: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, t: 9, n: 10, r: 13, v: 11 };

const BLANK = "\\t \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000";

/** A class, behind its `[`, as the inside of one with JavaScript's flag `v`. */
export function parseClass(cursor: PatternCursor): string {
  enter(cursor);
  const negated = takeIf(cursor, "^");
  let body = "";
  // Operands of JavaScript's operators are single sets.
  let left = "";
  // One that is first stands for itself.
  if (takeIf(cursor, "]")) body = "\\]";
  while (!takeIf(cursor, "]")) {
    const operator = cursor.dialect === "rust" ? takeMatch(cursor, /&&|--/)?.[0] : undefined;
    if (operator === undefined) body += parseItem(cursor);
    else {
      left = left === "" ? `[${body}]${operator}` : `[${left}[${body}]]${operator}`;
      body = "";
    }
  }
  if (left !== "") body = `${left}[${body}]`;
  cursor.depth--;
  return negated ? `[^${body}]` : `[${body}]`;
}

function parseItem(cursor: PatternCursor): string {
  const posix = takeMatch(cursor, /\[:(\^?)(\w+):\]/);
  if (posix) {
    const [, not, name = ""] = posix;
    const known = Object.hasOwn(POSIX, name) ? POSIX[name] : undefined;
    const body = known ?? refuse(cursor, `there is no class [:${name}:]`);
    return not ? `[^${body}]` : `[${body}]`;
  }
  if (cursor.dialect === "rust" && takeIf(cursor, "[")) return parseClass(cursor);
  const from = parseMember(cursor);
  if (from.length > 1 || !/^-[^\]]/.test(cursor.pattern.slice(cursor.at, cursor.at + 2))) return quote(from);
  if (cursor.dialect === "rust" && cursor.pattern.startsWith("--", cursor.at)) return quote(from);
  cursor.at++;
  const to = parseMember(cursor);
  if ((to.codePointAt(0) ?? 0) < (from.codePointAt(0) ?? 0))
    refuse(cursor, "a range in a class has its ends in the wrong order");
  return `${quote(from)}-${quote(to)}`;
}

/** One character, or the source of a set of them. */
function parseMember(cursor: PatternCursor): string {
  const char = take(cursor);
  if (char === "") refuse(cursor, "a class is not closed; a literal `[` is `\\[`");
  if (char !== "\\") return char;
  if (peek(cursor) === "b") {
    cursor.at++;
    return "\b";
  }
  return parseCharEscape(cursor);
}

function quote(member: string): string {
  const code = member.codePointAt(0) ?? 0;
  return String.fromCodePoint(code) === member ? `\\u{${code.toString(16)}}` : member;
}

/** What stands behind a backslash, where it is about characters: one of them, or the source of a set for flag `v`. */
export function parseCharEscape(cursor: PatternCursor): string {
  const char = take(cursor);
  const control = CONTROL[char];
  if (control !== undefined) return String.fromCharCode(control);
  const digits = cursor.dialect === "perl" ? "0-9" : "\\p{Nd}";
  switch (char) {
    case "d":
    case "D":
      return `[${char === "D" ? "^" : ""}${digits}]`;
    case "w":
    case "W":
      return `[${char === "W" ? "^" : ""}${WORD}]`;
    case "s":
    case "S":
      return char === "s" ? "\\p{White_Space}" : "\\P{White_Space}";
    case "h":
    case "H":
      return `[${char === "H" ? "^" : ""}${BLANK}]`;
    case "p":
    case "P":
      return parseProperty(cursor, char);
    case "x":
    case "u":
      return parseCode(cursor, char === "x" ? 2 : 4);
    case "":
      return refuse(cursor, "it ends with a backslash");
    default:
      if (/^[0-9A-Za-z]$/.test(char)) refuse(cursor, `there is no escape \`\\${char}\` here`);
      return char;
  }
}

function parseProperty(cursor: PatternCursor, letter: string): string {
  const [, long, short] = takeMatch(cursor, /\{(\^?\w+(?:=\w+)?)\}|([A-Z])/) ?? [];
  const name = long ?? short ?? refuse(cursor, "a Unicode class has no name");
  if (name === "Any") return letter === "p" ? "\\p{Any}" : "\\P{Any}";
  for (const source of [`\\${letter}{${name}}`, `\\${letter}{Script=${name}}`]) {
    try {
      void new RegExp(source, "v");
      return source;
    } catch {
      // It is none of these.
    }
  }
  return refuse(cursor, `there is no Unicode class ${JSON.stringify(name)}`);
}

function parseCode(cursor: PatternCursor, length: number): string {
  const [, braced, plain] = takeMatch(cursor, /\{([0-9a-f]{1,6})\}|([0-9a-f]{1,4})/i) ?? [];
  const text = braced ?? plain?.slice(0, length) ?? refuse(cursor, "a character's number is missing");
  if (plain !== undefined) cursor.at -= plain.length - text.length;
  const code = Number.parseInt(text, 16);
  if (code > 0x10ffff) refuse(cursor, `${text} is no character's number`);
  return String.fromCodePoint(code);
}
