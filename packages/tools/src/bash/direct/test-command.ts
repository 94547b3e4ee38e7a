import { compareIntegers, fileTest, isFileTest } from "./file-tests.ts";
import type { Shell } from "./shell-state.ts";

const BINARY = /^(=|==|!=|<|>|-(eq|ne|lt|le|gt|ge))$/;

/** What is told on stderr, with the code 2. */
class TestProblem extends Error {}

/** Whether all operators among the words are known here, as far as words are known. */
export function testTakes(args: readonly (string | undefined)[]): boolean {
  return args.every(
    (arg) => !arg || !/^-[a-zA-Z]+$/.test(arg) || isFileTest(arg) || /^-(z|n|a|o|eq|ne|lt|le|gt|ge)$/.test(arg),
  );
}

/** `test`, and `[` without its `]`: 0 when it is so, 1 when it is not. */
export async function runTest(shell: Shell, args: readonly string[]): Promise<number> {
  try {
    return (await evaluate(args, shell)) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof TestProblem)) throw error;
    shell.stderr.write(`bash: [: ${error.message}\n`);
    return 2;
  }
}

/** As POSIX has it, by the number of words. */
async function evaluate(args: readonly string[], shell: Shell): Promise<boolean> {
  const [first = "", second = "", third = ""] = args;
  const count = args.length;
  if (count < 2) return first !== "";
  if (count === 3 && BINARY.test(second)) return binary(first, second, third);
  if (count <= 4 && first === "!") return !(await evaluate(args.slice(1), shell));
  if (count === 2) return unary(first, second, shell);
  if (count <= 4 && first === "(" && args.at(-1) === ")") return evaluate(args.slice(1, -1), shell);
  if (count === 3 && !/^-[ao]$/.test(second)) throw new TestProblem(`${second}: binary operator expected`);
  return new TestParser(args, shell).parse();
}

function binary(left: string, operator: string, right: string): boolean {
  switch (operator) {
    case "=":
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return left < right;
    case ">":
      return left > right;
    default:
      return compareIntegers(operator, integer(left), integer(right));
  }
}

function integer(text: string): bigint {
  if (!/^\s*[-+]?\d+\s*$/.test(text)) throw new TestProblem(`${text}: integer expression expected`);
  return BigInt(text.trim().replace(/^\+/, ""));
}

async function unary(operator: string, operand: string, shell: Shell): Promise<boolean> {
  if (operator === "-z") return operand === "";
  if (operator === "-n") return operand !== "";
  if (isFileTest(operator)) return fileTest(operator, operand, shell);
  throw new TestProblem(`${operator}: unary operator expected`);
}

/** Of more words, with `-a`, `-o`, `!` and parentheses. */
class TestParser {
  readonly #args: readonly string[];
  readonly #shell: Shell;
  #at = 0;

  constructor(args: readonly string[], shell: Shell) {
    this.#args = args;
    this.#shell = shell;
  }

  async parse(): Promise<boolean> {
    const result = await this.#or();
    if (this.#at < this.#args.length) throw new TestProblem("too many arguments");
    return result;
  }

  async #or(): Promise<boolean> {
    let result = await this.#and();
    while (this.#takes("-o")) result = (await this.#and()) || result;
    return result;
  }

  async #and(): Promise<boolean> {
    let result = await this.#not();
    while (this.#takes("-a")) result = (await this.#not()) && result;
    return result;
  }

  async #not(): Promise<boolean> {
    if (this.#takes("!")) return !(await this.#not());
    const [first, second, third] = this.#args.slice(this.#at);
    if (first === undefined) throw new TestProblem("argument expected");
    if (second !== undefined && third !== undefined && BINARY.test(second)) {
      this.#at += 3;
      return binary(first, second, third);
    }
    if (this.#takes("(")) {
      const inner = await this.#or();
      if (!this.#takes(")")) throw new TestProblem("`)' expected");
      return inner;
    }
    if (second !== undefined && (first === "-z" || first === "-n" || isFileTest(first))) {
      this.#at += 2;
      return unary(first, second, this.#shell);
    }
    this.#at += 1;
    return first !== "";
  }

  #takes(word: string): boolean {
    if (this.#args[this.#at] !== word) return false;
    this.#at += 1;
    return true;
  }
}
