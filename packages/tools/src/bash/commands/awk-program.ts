import { PAUSE_EVERY, PAUSE_FILE } from "../pause-file.ts";

/** A token, with the blanks and comments before it. */
interface Token {
  readonly before: string;
  readonly text: string;
}

const BLANKS = /(?:[ \t\r]|\\\r?\n|#[^\n]*)*/y;
const NAME = /[A-Za-z_]\w*/y;
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:\\[^]|[^"\\\n])*"?/y;
const REGEX = /\/(?:\\[^]|\[\^?\]?(?:\\[^]|\[:\w+:\]|[^\]\\\n])*\]|[^/\\[\n])*\/?/y;
/** Words behind which a slash begins a regular expression, and others behind which it divides. */
const BEFORE_REGEX = /^(?:return|print|printf|in|else|do)$/;

const NUMBER_OF = "tenrecRounds";
const READ = "tenrecRead";
const PAUSE = "tenrecPause";
/** Characters of lines between two pauses, with so many for each line beside its own: a few milliseconds. */
const PAUSE_CHARS = 40_000;
const CHARS_OF_LINE = 40;
/** What takes several times as long for a line as all else. */
const SLOW = /^(?:g?sub|gensub|match|split)$/;
const SLOW_PAUSE_CHARS = 10_000;

/**
 * The program, such that it reads the pause file now and then while it reads lines and goes round in loops. A `length`
 * without parentheses, which just-bash's awk does not understand before `>`, gets them.
 */
export function withPauses(program: string): string {
  const tokens = tokensOf(program);
  const isLooping = tokens.some(({ text }) => text === "while" || text === "for");
  const chars = tokens.some(({ text }) => SLOW.test(text)) ? SLOW_PAUSE_CHARS : PAUSE_CHARS;
  const rule = readsLines(tokens)
    ? `(${READ}+=length($0)+${CHARS_OF_LINE})>=${chars}{${READ}=0;printf "">>"${PAUSE_FILE}"}\n`
    : "";
  const round = `\nfunction ${PAUSE}(){if(++${NUMBER_OF}%${PAUSE_EVERY}==0)printf "">>"${PAUSE_FILE}";return 1}`;
  return rule + textOf(withRounds(tokens)) + (isLooping ? round : "");
}

function tokensOf(program: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(program)?.[0] ?? "";
    at += found.length;
    return found;
  };
  while (at < program.length) {
    const before = take(BLANKS);
    const char = program.charAt(at);
    let text = take(NAME) || take(NUMBER) || take(STRING);
    if (text === "" && char === "/" && isOperandNext(tokens.at(-1)?.text)) text = take(REGEX);
    if (text === "") {
      text = char;
      at += 1;
    }
    tokens.push({ before, text });
  }
  return tokens;
}

/** Whether what comes after this token is an operand, not an operator. */
function isOperandNext(last: string | undefined): boolean {
  return last === undefined || BEFORE_REGEX.test(last) || !/^(?:[\w"$]|[)\]]$)/.test(last);
}

/** There is a rule beside `BEGIN` and functions; for `END` too all lines are read. */
function readsLines(tokens: readonly Token[]): boolean {
  return headsOf(tokens).some((head) => head !== "BEGIN" && !FUNCTION.test(head));
}

const FUNCTION = /^func(?:tion)?$/;

/** The first token of each rule, a brace where it is for all lines. */
function headsOf(tokens: readonly Token[]): string[] {
  const heads: string[] = [];
  let depth = 0;
  let head: string | undefined;
  for (const { text } of tokens) {
    const isTop = depth === 0;
    depth += depthOf(text);
    // The brace of a function may be on the next line.
    const isEnd = isTop ? text === ";" || (text === "\n" && !FUNCTION.test(head ?? "")) : depth === 0 && text === "}";
    if (isEnd) head = undefined;
    else if (isTop && head === undefined && text !== "") heads.push((head = text));
  }
  return heads;
}

function depthOf(text: string): number {
  if (text === "{" || text === "(") return 1;
  return text === "}" || text === ")" ? -1 : 0;
}

function withRounds(tokens: readonly Token[]): Token[] {
  const result = tokens.map((token, at) => {
    const isBare = token.text === "length" && tokens[at + 1]?.text !== "(";
    return isBare ? { ...token, text: "length($0)" } : token;
  });
  for (const [at, { text }] of tokens.entries()) {
    if ((text !== "while" && text !== "for") || tokens[at + 1]?.text !== "(") continue;
    const close = closingOf(tokens, at + 1);
    const parts = [at + 1, ...semicolons(tokens, at + 1, close), close];
    // `for (key in array)` ends by itself.
    if (text === "for" && parts.length !== 4) continue;
    const [from = at + 1, to = close] = text === "for" ? [parts[1], parts[2]] : [at + 1, close];
    const isEmpty = to === from + 1;
    change(result, from, (own) => `${own}${PAUSE}()${isEmpty ? "" : "&&("}`);
    if (!isEmpty) change(result, to, (own) => `)${own}`);
  }
  return result;
}

function change(tokens: Token[], at: number, to: (text: string) => string): void {
  const token = tokens[at];
  if (token) tokens[at] = { ...token, text: to(token.text) };
}

function closingOf(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (tokens[at]?.text === "(") depth += 1;
    else if (tokens[at]?.text === ")" && --depth === 0) return at;
  }
  return tokens.length;
}

/** Those directly between two parentheses. */
function semicolons(tokens: readonly Token[], open: number, close: number): number[] {
  const found: number[] = [];
  let depth = 0;
  for (let at = open; at < close; at++) {
    const text = tokens[at]?.text ?? "";
    if (/^[({[]$/.test(text)) depth += 1;
    else if (/^[)}\]]$/.test(text)) depth -= 1;
    else if (text === ";" && depth === 1) found.push(at);
  }
  return found;
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ before, text }) => before + text).join("");
}
