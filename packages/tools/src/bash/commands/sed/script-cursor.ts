import { SedError } from "./sed-program.ts";

/** Where a parse of a script is. */
export class ScriptCursor {
  at = 0;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  peek(): string {
    return this.text.charAt(this.at);
  }

  take(): string {
    return this.text.charAt(this.at++);
  }

  /** What a sticky expression matches here. */
  match(expression: RegExp): RegExpExecArray | undefined {
    const sticky = new RegExp(expression, "ys");
    sticky.lastIndex = this.at;
    const match = sticky.exec(this.text);
    if (match) this.at = sticky.lastIndex;
    return match ?? undefined;
  }

  skipBlanks(): void {
    this.match(/[ \t\r\f\v]*/);
  }

  fail(problem: string): never {
    throw new SedError(`-e expression #1, char ${Math.min(this.at, this.text.length)}: ${problem}`);
  }

  /** What is up to the next `delimiter`, which may be in it behind a backslash; undefined where there is none. */
  until(delimiter: string, isPattern: boolean): string | undefined {
    let text = "";
    while (!this.isAtEnd) {
      const char = this.take();
      if (char === delimiter) return text;
      // Only one behind a backslash is a part of it.
      if (char === "\n") return undefined;
      if (char === "[" && isPattern) text += char + this.#bracket();
      else if (char !== "\\") text += char;
      else if (this.peek() === delimiter) text += this.#delimiter(delimiter, isPattern);
      else text += char + this.take();
    }
    return undefined;
  }

  /** The rest of a bracket expression, in which a delimiter is one of its characters. */
  #bracket(): string {
    const [whole = ""] = this.match(/\^?\]?(?:\[:\w*:\]|\[\.[^\n]*?\.\]|\[=[^\n]*?=\]|[^\]\n])*\]/) ?? [];
    return whole;
  }

  /** Behind a backslash it is one of the characters. */
  #delimiter(delimiter: string, isPattern: boolean): string {
    this.at++;
    return delimiter === "&" && !isPattern ? "\\&" : delimiter;
  }
}
