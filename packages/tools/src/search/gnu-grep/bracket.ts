import { CommandError } from "../command/command-error.ts";

const UNMATCHED = "Unmatched [, [^, [:, [., or [=";

/** POSIX's names as members of a class in Rust's syntax. */
const NAMED: Readonly<Record<string, string>> = {
  alnum: "\\p{Alphabetic}0-9",
  alpha: "\\p{Alphabetic}",
  blank: "\\t ",
  cntrl: "\\p{Cc}",
  digit: "0-9",
  graph: "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}",
  lower: "\\p{Lowercase}",
  print: "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Zs}",
  punct: "\\p{P}\\p{S}",
  space: "\\s",
  upper: "\\p{Uppercase}",
  xdigit: "0-9A-Fa-f",
};

/** A bracket expression of POSIX, behind its `[` at `at`, in Rust's syntax; and where it ends. */
export function translateBracket(pattern: string, at: number): { readonly rust: string; readonly end: number } {
  const negated = pattern[at] === "^";
  const start = negated ? at + 1 : at;
  let index = start;
  let body = "";
  while (pattern[index] !== "]" || index === start) {
    const { source, end } = readItem(pattern, index);
    body += source;
    index = end;
  }
  if (!negated && /^:.+:$/.test(pattern.slice(start, index)))
    throw new CommandError("character class syntax is [[:space:]], not [:space:]");
  return { rust: `[${negated ? "^" : ""}${body}]`, end: index + 1 };
}

/** A character, a range or a named class. */
function readItem(pattern: string, at: number): { readonly source: string; readonly end: number } {
  const { char, set, end } = readMember(pattern, at);
  if (set !== undefined) return { source: set, end };
  const isRange = pattern[end] === "-" && pattern[end + 1] !== "]" && end + 1 < pattern.length;
  if (!isRange) return { source: quote(char), end };
  const last = readMember(pattern, end + 1);
  if (last.set !== undefined || last.char < char) throw new CommandError("Invalid range end");
  return { source: `${quote(char)}-${quote(last.char)}`, end: last.end };
}

interface Member {
  readonly char: string;
  /** More than one character. */
  readonly set?: string;
  readonly end: number;
}

function readMember(pattern: string, at: number): Member {
  const kind = pattern[at + 1] ?? "";
  if (pattern[at] !== "[" || !":.=".includes(kind) || kind === "") {
    const char = charAt(pattern, at);
    if (char === "") throw new CommandError(UNMATCHED);
    return { char, end: at + char.length };
  }
  const close = pattern.indexOf(`${kind}]`, at + 2);
  if (close === -1) throw new CommandError(UNMATCHED);
  const name = pattern.slice(at + 2, close);
  if (kind !== ":") {
    if (charAt(name, 0) !== name || name === "") throw new CommandError("Invalid collation character");
    return { char: name, end: close + 2 };
  }
  const set = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
  if (set === undefined) throw new CommandError("Invalid character class name");
  return { char: "", set, end: close + 2 };
}

function charAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}

function quote(char: string): string {
  return /[\\[\]^&~-]/.test(char) ? `\\${char}` : char;
}
