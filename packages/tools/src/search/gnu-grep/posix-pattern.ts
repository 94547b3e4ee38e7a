import { CommandError } from "../command/command-error.ts";
import { translateBracket } from "./bracket.ts";

export interface PosixPattern {
  /** In the syntax of Rust, but for backreferences. */
  readonly rust: string;
  readonly hasBackreferences: boolean;
  /** The longest match may be another one than the first: there are alternatives. */
  readonly hasChoice: boolean;
}

/** Most repetitions that GNU grep takes. */
const MOST = 32_767;

interface Translation {
  readonly pattern: string;
  readonly extended: boolean;
  at: number;
  out: string;
  /** Where in `out` the last part begins that can be repeated; -1 where a repetition has nothing before it. */
  atom: number;
  isRepeated: boolean;
  readonly open: { readonly start: number; readonly group: number }[];
  groups: number;
  readonly closed: Set<number>;
  hasBackreferences: boolean;
  hasChoice: boolean;
}

/** A basic or an extended regular expression of POSIX with GNU's additions; `CommandError` for one that is not valid. */
export function translatePosix(pattern: string, extended: boolean): PosixPattern {
  const state: Translation = {
    pattern,
    extended,
    at: 0,
    out: "",
    atom: -1,
    isRepeated: false,
    open: [],
    groups: 0,
    closed: new Set<number>(),
    hasBackreferences: false,
    hasChoice: false,
  };
  while (state.at < pattern.length) step(state);
  if (state.open.length > 0) throw new CommandError("Unmatched ( or \\(");
  const { out: rust, hasBackreferences, hasChoice } = state;
  return { rust, hasBackreferences, hasChoice };
}

function step(state: Translation): void {
  const { pattern, extended, at } = state;
  const char = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
  state.at += char.length;
  switch (char) {
    case "\\":
      return escape(state);
    case "[": {
      const { rust, end } = translateBracket(pattern, state.at);
      state.at = end;
      return atom(state, rust);
    }
    case ".":
      return atom(state, ".");
    case "*":
      return star(state);
    case "^":
      return isStart(state, at) ? edge(state, "^") : atom(state, "\\^");
    case "$":
      return isEnd(state) ? edge(state, "$") : atom(state, "\\$");
    default:
      return extended && "+?{|()".includes(char) ? operator(state, char) : atom(state, quote(char));
  }
}

/** What is an operator in extended expressions, and behind a backslash in basic ones. */
function operator(state: Translation, char: string): void {
  switch (char) {
    case "(":
      state.open.push({ start: state.out.length, group: ++state.groups });
      state.out += "(";
      state.atom = -1;
      return undefined;
    case ")":
      return close(state);
    case "|":
      state.hasChoice = true;
      state.out += "|";
      state.atom = -1;
      return undefined;
    case "{":
      return interval(state);
    default:
      return state.atom === -1 ? (state.extended ? undefined : atom(state, quote(char))) : repeat(state, char);
  }
}

function close(state: Translation): void {
  const group = state.open.pop();
  if (!group) {
    if (!state.extended) throw new CommandError("Unmatched ) or \\)");
    return atom(state, "\\)");
  }
  state.out += ")";
  state.atom = group.start;
  state.isRepeated = false;
  state.closed.add(group.group);
}

function escape(state: Translation): void {
  const { pattern, extended, at } = state;
  const code = pattern.codePointAt(at);
  if (code === undefined) throw new CommandError("Trailing backslash");
  const char = String.fromCodePoint(code);
  state.at += char.length;
  if ("(){}|+?".includes(char)) {
    // A closing brace stands for itself.
    if (extended || char === "}") return atom(state, quote(char));
    return operator(state, char);
  }
  if (/[1-9]/.test(char)) {
    if (!state.closed.has(Number(char))) throw new CommandError("Invalid back reference");
    state.hasBackreferences = true;
    return atom(state, `\\g{${char}}`);
  }
  if ("wWsS".includes(char)) return atom(state, `\\${char}`);
  if ("bB<>".includes(char)) return edge(state, `\\${char}`);
  if (char === "`") return edge(state, "\\A");
  if (char === "'") return edge(state, "\\z");
  return atom(state, quote(char));
}

function star(state: Translation): void {
  if (state.atom !== -1) return repeat(state, "*");
  // With nothing before it a basic one stands for itself, and an extended one for nothing.
  return state.extended ? undefined : atom(state, "\\*");
}

function interval(state: Translation): void {
  const { pattern, extended, at } = state;
  const expression = extended ? /^(\d*)(,)?(\d*)\}/ : /^(\d*)(,)?(\d*)\\\}/;
  const [text, min = "", comma = "", max = ""] = expression.exec(pattern.slice(at)) ?? [""];
  const isValid = min + comma !== "";
  if (extended && (!isValid || state.atom === -1)) return atom(state, "\\{");
  if (state.atom === -1) throw new CommandError("Invalid preceding regular expression");
  if (!isValid) throw new CommandError(pattern.includes("\\}", at) ? "Invalid content of \\{\\}" : "Unmatched \\{");
  checkBounds(Number(min), max === "" ? Number(min) : Number(max));
  state.at += text.length;
  repeat(state, comma === "" ? `{${Number(min)}}` : `{${Number(min)},${max}}`);
}

function checkBounds(low: number, high: number): void {
  if (high < low) throw new CommandError("Invalid content of \\{\\}");
  if (high > MOST) throw new CommandError("Regular expression too big");
}

function repeat(state: Translation, sign: string): void {
  // A second sign repeats the repetition; in Rust's syntax it would make it lazy.
  if (state.isRepeated) state.out = `${state.out.slice(0, state.atom)}(?:${state.out.slice(state.atom)})`;
  state.out += sign;
  state.isRepeated = true;
  if (sign !== "{1}") state.hasChoice ||= sign === "?";
}

function atom(state: Translation, rust: string): void {
  state.atom = state.out.length;
  state.isRepeated = false;
  state.out += rust;
}

function edge(state: Translation, rust: string): void {
  state.out += rust;
  state.atom = -1;
}

/** An anchor of a basic expression is one at the start of it, of a group and of an alternative. */
function isStart({ pattern, extended }: Translation, at: number): boolean {
  return extended || at === 0 || /\\[(|]$/.test(pattern.slice(0, at));
}

function isEnd({ pattern, extended, at }: Translation): boolean {
  return extended || at === pattern.length || /^\\[)|]/.test(pattern.slice(at));
}

function quote(char: string): string {
  return /[\\^$.|?*+()[\]{}#&~-]/.test(char) ? `\\${char}` : char;
}
