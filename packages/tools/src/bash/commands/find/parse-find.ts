import { UsageError } from "../parse-options.ts";
import type { ExecCall } from "./exec-action.ts";
import { execAction } from "./exec-action.ts";
import type { Test } from "./find-run.ts";
import { ACTIONS, deleteAction } from "./find-actions.ts";
import { formatPrinter } from "./find-printf.ts";
import { PLAIN_TESTS, VALUE_TESTS } from "./find-tests.ts";

export interface FindCall {
  readonly starts: readonly string[];
  readonly test: Test;
  readonly follows: boolean;
  readonly minDepth: number;
  readonly maxDepth: number;
  /** A folder comes after what is in it. */
  readonly isDepthFirst: boolean;
  /** Commands with `+`, run at the end with what is left. */
  readonly calls: readonly ExecCall[];
  readonly needsNow: boolean;
}

/** Options that change nothing here. */
const IGNORED = new Set(["-daystart", "-noleaf", "-mount", "-xdev", "-warn", "-nowarn", "-ignore_readdir_race"]);
const BY_AGE = /^-(?:[acm]time|[acm]min)$/;

/** Reads a command line of GNU find. Throws `UsageError` for what is not in it, or not here. */
export function parseFind(args: readonly string[]): FindCall {
  const at = args.findIndex((arg) => /^-[LPH]$|^-O\d$|^-D/.test(arg) === false);
  const options = at === -1 ? args : args.slice(0, at);
  const rest = at === -1 ? [] : args.slice(at);
  const end = rest.findIndex((arg) => /^-.|^[(!),]$/.test(arg));
  const starts = end === -1 ? rest : rest.slice(0, end);
  const parser = new Parser(end === -1 ? [] : rest.slice(end));
  const test = parser.parse();
  return {
    starts: starts.length > 0 ? starts : ["."],
    test,
    follows: options.findLast((option) => /^-[LPH]$/.test(option)) === "-L" || parser.follows,
    minDepth: parser.minDepth,
    maxDepth: parser.maxDepth,
    isDepthFirst: parser.isDepthFirst,
    calls: parser.calls,
    needsNow: args.some((arg) => BY_AGE.test(arg)),
  };
}

class Parser {
  minDepth = 0;
  maxDepth = Number.POSITIVE_INFINITY;
  isDepthFirst = false;
  follows = false;
  readonly calls: ExecCall[] = [];
  readonly #words: string[];
  #hasAction = false;

  constructor(words: readonly string[]) {
    this.#words = [...words];
  }

  parse(): Test {
    const test = this.#words.length > 0 ? this.#list() : always;
    const [extra] = this.#words;
    if (extra === ")") throw new UsageError("you have too many ')'");
    if (extra !== undefined) throw new UsageError(`paths must precede expression: \`${extra}'`);
    return this.#hasAction ? test : both(test, ACTIONS["-print"] ?? always);
  }

  #list(): Test {
    const tests = [this.#either()];
    while (this.#takeIf(",")) tests.push(this.#either());
    const [only = always] = tests;
    if (tests.length === 1) return only;
    return async (entry, run) => {
      let last = false;
      for (const test of tests) last = await test(entry, run);
      return last;
    };
  }

  #either(): Test {
    let test = this.#all();
    while (this.#takeIf("-o", "-or")) {
      const [left, right] = [test, this.#all()];
      test = (entry, run) => {
        const found = left(entry, run);
        if (typeof found === "boolean") return found || right(entry, run);
        return found.then((isTrue) => isTrue || right(entry, run));
      };
    }
    return test;
  }

  #all(): Test {
    let test = this.#one();
    for (;;) {
      const [next] = this.#words;
      if (next === undefined || /^(?:\)|,|-o|-or)$/.test(next)) return test;
      this.#takeIf("-a", "-and");
      test = both(test, this.#one());
    }
  }

  #one(): Test {
    const word = this.#words.shift();
    if (word === undefined) throw new UsageError("invalid expression; a test is missing at its end");
    if (word === "!" || word === "-not") return not(this.#one());
    if (word === "(") {
      if (this.#words[0] === ")") throw new UsageError("invalid expression; empty parentheses are not allowed.");
      const test = this.#list();
      if (!this.#takeIf(")"))
        throw new UsageError("invalid expression; I was expecting to find a ')' somewhere but did not see one.");
      return test;
    }
    return this.#option(word) ?? this.#action(word) ?? this.#test(word);
  }

  #option(word: string): Test | undefined {
    if (IGNORED.has(word)) return always;
    if (word === "-maxdepth") this.maxDepth = this.#depth(word);
    else if (word === "-mindepth") this.minDepth = this.#depth(word);
    else if (word === "-depth" || word === "-d") this.isDepthFirst = true;
    else if (word === "-follow") this.follows = true;
    else return undefined;
    return always;
  }

  #depth(word: string): number {
    const value = this.#value(word);
    if (!/^\d+$/.test(value))
      throw new UsageError(`Expected a positive decimal integer argument to ${word}, but got '${value}'`);
    return Number(value);
  }

  #action(word: string): Test | undefined {
    const action = ACTIONS[word];
    if (!action && !/^-(?:delete|printf|exec|execdir)$/.test(word)) return undefined;
    if (word !== "-prune") this.#hasAction = true;
    if (action) return action;
    if (word === "-delete") {
      this.isDepthFirst = true;
      return deleteAction;
    }
    if (word === "-printf") return formatPrinter(this.#value(word));
    const { test, call } = execAction(word, this.#command(word));
    if (call) this.calls.push(call);
    return test;
  }

  /** The words up to `;`, or to a `+` behind `{}`, which stays. */
  #command(word: string): string[] {
    const words = this.#words;
    const end = words.findIndex((each, at) => each === ";" || (each === "+" && words[at - 1] === "{}"));
    if (end === -1) throw new UsageError(`missing argument to \`${word}'`);
    const command = words.splice(0, end + 1);
    if (command.at(-1) === ";") command.pop();
    if (command.length === 0) throw new UsageError(`invalid argument \`;' to \`${word}'`);
    return command;
  }

  #test(word: string): Test {
    const plain = PLAIN_TESTS[word];
    if (plain) return plain;
    const make = VALUE_TESTS[word];
    if (!make) {
      if (word.startsWith("-")) throw new UsageError(`unknown predicate \`${word}'`);
      throw new UsageError(`paths must precede expression: \`${word}'`);
    }
    return make(this.#value(word), word);
  }

  #value(word: string): string {
    const value = this.#words.shift();
    if (value === undefined) throw new UsageError(`missing argument to \`${word}'`);
    return value;
  }

  #takeIf(...wanted: readonly string[]): boolean {
    if (!wanted.includes(this.#words[0] ?? "")) return false;
    this.#words.shift();
    return true;
  }
}

const always: Test = () => true;

function both(left: Test, right: Test): Test {
  return (entry, run) => {
    const found = left(entry, run);
    if (typeof found === "boolean") return found && right(entry, run);
    return found.then((isTrue) => isTrue && right(entry, run));
  };
}

function not(test: Test): Test {
  return (entry, run) => {
    const found = test(entry, run);
    return typeof found === "boolean" ? !found : found.then((isTrue) => !isTrue);
  };
}
