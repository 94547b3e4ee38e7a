import { CommandError } from "./command-error.ts";

/** Characters that a command prints: less than what makes the shell stop all of a command line. */
const MOST = 4 * 1024 * 1024;

/** What a command printed on its standard output. */
export class Printed {
  readonly #parts: string[] = [];
  #length = 0;

  /** `CommandError` when it is too much. What came before stays. */
  add(text: string): void {
    this.#length += text.length;
    if (this.#length > MOST) throw new CommandError("there is too much to print; narrow the pattern or the paths");
    this.#parts.push(text);
  }

  text(): string {
    return this.#parts.join("");
  }
}
