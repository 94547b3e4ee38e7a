import type { AwkError } from "./awk-error.ts";
import { syntaxError, type Token } from "./tokenize.ts";

const END: Token = { kind: "end", text: "", value: 0, line: 1 };
/** Parentheses, blocks and the like in each other. */
const MOST_DEPTH = 250;

/** Where a parser is in a program. */
export class TokenCursor {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get token(): Token {
    return this.#tokens[this.#at] ?? this.#tokens.at(-1) ?? END;
  }

  get next(): Token {
    return this.#tokens[this.#at + 1] ?? END;
  }

  get place(): number {
    return this.#at;
  }

  /** Goes back to a place. */
  back(place: number): void {
    this.#at = place;
  }

  take(): Token {
    const { token } = this;
    this.#at++;
    return token;
  }

  is(...signs: readonly string[]): boolean {
    const { kind, text } = this.token;
    return (kind === "sign" || kind === "newline") && signs.includes(text);
  }

  isWord(...words: readonly string[]): boolean {
    const { kind, text } = this.token;
    return kind === "word" && words.includes(text);
  }

  takeIf(sign: string): boolean {
    if (!this.is(sign)) return false;
    this.#at++;
    return true;
  }

  expect(sign: string): void {
    if (!this.takeIf(sign)) throw this.problem();
  }

  skipLines(): void {
    while (this.token.kind === "newline") this.#at++;
  }

  /** Runs what goes one level deeper. */
  within<T>(run: () => T): T {
    if (++this.#depth > MOST_DEPTH) throw syntaxError(this.token.line, "the program is nested too deep");
    const result = run();
    this.#depth--;
    return result;
  }

  problem(): AwkError {
    const { kind, text, line } = this.token;
    const near =
      kind === "end"
        ? "unexpected end of the program"
        : kind === "newline"
          ? "unexpected newline or end of string"
          : `syntax error at or near ${text.slice(0, 40)}`;
    return syntaxError(line, near);
  }
}
