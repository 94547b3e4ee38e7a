import { AwkError } from "./awk-error.ts";
import { withEscapes } from "./byte-text.ts";

export interface Token {
  readonly kind: "number" | "text" | "regex" | "name" | "callee" | "word" | "builtin" | "sign" | "newline" | "end";
  /** A name, a sign, or the text or expression itself. */
  readonly text: string;
  readonly value: number;
  readonly line: number;
}

const WORDS = new Set(
  (
    "BEGIN END BEGINFILE ENDFILE function func if else while for do break continue next nextfile exit return delete in " +
    "getline print printf switch case default"
  ).split(" "),
);

const BUILTINS: ReadonlySet<string> = new Set(
  (
    "length substr index split sub gsub gensub match sprintf sin cos atan2 exp log sqrt int rand srand tolower toupper " +
    "system close fflush systime strftime mktime asort asorti and or xor lshift rshift compl strtonum patsplit typeof " +
    "isarray mkbool"
  ).split(" "),
);

const BLANKS = /(?:[ \t\r]|\\\r?\n)*(?:#[^\n]*)?/y;
const NAME = /[A-Za-z_]\w*(?:::[A-Za-z_]\w*)?/y;
const NUMBER = /0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const TEXT = /"((?:\\[^]|[^"\\\n])*)("?)/y;
const REGEX = /\/((?:\\[^]|\[\^?\]?(?:\\[^]|\[:\w+:\]|\[[.=][^\n]*?[.=]\]|[^\]\\\n])*\]|[^/\\\n])*)(\/?)/y;
const SIGNS = [
  "**=",
  "&&",
  "||",
  "++",
  "--",
  "+=",
  "-=",
  "*=",
  "/=",
  "%=",
  "^=",
  "**",
  "==",
  "<=",
  ">=",
  "!=",
  "!~",
  ">>",
  "|&",
];

/** The tokens of a program, with an `end` behind them. */
export function tokenize(source: string, warnings: string[]): Token[] {
  return new Tokenizer(source, warnings).run();
}

class Tokenizer {
  readonly #source: string;
  readonly #warnings: string[];
  readonly #tokens: Token[] = [];
  #at = 0;
  #line = 1;

  constructor(source: string, warnings: string[]) {
    this.#source = source;
    this.#warnings = warnings;
  }

  run(): Token[] {
    for (;;) {
      this.#take(BLANKS);
      if (this.#at >= this.#source.length) break;
      this.#token();
    }
    this.#add("newline", "\n");
    this.#add("end", "");
    return this.#tokens;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (!found || found[0] === "") return undefined;
    this.#at += found[0].length;
    this.#line += found[0].split("\n").length - 1;
    return found;
  }

  #add(kind: Token["kind"], text: string, value = 0): void {
    this.#tokens.push({ kind, text, value, line: this.#line });
  }

  #token(): void {
    const char = this.#source.charAt(this.#at);
    const name = this.#take(NAME)?.[0];
    const number = name === undefined ? this.#take(NUMBER)?.[0] : undefined;
    if (name !== undefined) this.#name(name);
    else if (number !== undefined) this.#add("number", number, numberOfToken(number));
    else if (char === "\n") {
      this.#add("newline", char);
      this.#at++;
      this.#line++;
    } else if (char === '"') this.#text();
    else if (char === "/" && !isOperand(this.#tokens.at(-1))) this.#regex();
    else this.#sign(char);
  }

  #name(name: string): void {
    const plain = name.replace(/^awk::/, "");
    if (plain.includes("::") && !plain.startsWith("inplace::"))
      throw new AwkError(`cmd. line:${this.#line}: ${name}: namespaces are not supported; write one name`);
    if (WORDS.has(plain)) this.#add("word", plain === "func" ? "function" : plain);
    else if (BUILTINS.has(plain)) this.#add("builtin", plain);
    else this.#add(this.#source[this.#at] === "(" ? "callee" : "name", plain);
  }

  #text(): void {
    const { line } = this.#tokens.at(-1) ?? { line: this.#line };
    const [whole = "", inner = "", end] = this.#take(TEXT) ?? [];
    if (end !== '"') throw syntaxError(line, `unterminated string ${whole.slice(0, 40)}`);
    const warn = (message: string): void => void this.#warnings.push(`cmd. line:${this.#line}: ${message}`);
    this.#add("text", withEscapes(inner, warn));
  }

  #regex(): void {
    const regex = this.#take(REGEX);
    if (regex?.[2] !== "/") throw syntaxError(this.#line, "unterminated regexp");
    this.#add(
      "regex",
      (regex[1] ?? "").replace(/\\(\/|\n)/g, (_, next: string) => (next === "/" ? "/" : "")),
    );
  }

  #sign(char: string): void {
    const sign = SIGNS.find((each) => this.#source.startsWith(each, this.#at)) ?? char;
    this.#at += sign.length;
    if (sign.length === 1 && !"{}()[];,+-*/%^!<>|?:~$=@".includes(sign))
      throw syntaxError(this.#line, `syntax error at or near ${sign}`);
    this.#add("sign", sign === "**" ? "^" : sign === "**=" ? "^=" : sign);
  }
}

/** As the C language has them: `0x11`, and `011` for nine. */
function numberOfToken(text: string): number {
  if (/^0x/i.test(text)) return Number(text);
  return /^0[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number(text);
}

/** A slash behind it divides. */
function isOperand(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.kind === "sign")
    return token.text === ")" || token.text === "]" || token.text === "$" || token.text === "++" || token.text === "--";
  return token.kind === "number" || token.kind === "text" || token.kind === "name" || token.kind === "builtin";
}

export function syntaxError(line: number, problem: string): AwkError {
  return new AwkError(`cmd. line:${line}: ${problem}`, 1);
}
