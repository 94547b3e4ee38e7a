import { AwkError } from "./awk-error.ts";
import type { CallNode, Name, Node, UserFunction } from "./syntax.ts";
import { syntaxError } from "./tokenize.ts";

/** Which arguments of a builtin are arrays. */
const ARRAY_ARGUMENTS: Readonly<Record<string, readonly number[]>> = {
  split: [1, 3],
  patsplit: [1, 3],
  match: [2],
  asort: [0, 1],
  asorti: [0, 1],
};
/** Least and most arguments. */
const COUNTS: Readonly<Record<string, readonly [number, number]>> = {
  length: [0, 1],
  substr: [2, 3],
  index: [2, 2],
  split: [2, 4],
  sub: [2, 3],
  gsub: [2, 3],
  gensub: [3, 4],
  match: [2, 3],
  sprintf: [1, 10_000],
  sin: [1, 1],
  cos: [1, 1],
  atan2: [2, 2],
  exp: [1, 1],
  log: [1, 1],
  sqrt: [1, 1],
  int: [1, 1],
  rand: [0, 0],
  srand: [0, 1],
  tolower: [1, 1],
  toupper: [1, 1],
  system: [1, 1],
  close: [1, 2],
  fflush: [0, 1],
  systime: [0, 0],
  strftime: [0, 3],
  mktime: [1, 2],
  asort: [1, 3],
  asorti: [1, 3],
  and: [2, 100],
  or: [2, 100],
  xor: [2, 100],
  lshift: [2, 2],
  rshift: [2, 2],
  compl: [1, 1],
  strtonum: [1, 1],
  patsplit: [2, 4],
  typeof: [1, 1],
  isarray: [1, 1],
  mkbool: [1, 1],
};

const REFUSED: Readonly<Record<string, string>> = {
  SYMTAB: "name the variable itself",
  FUNCTAB: "call the function by its name",
};

/** What the names of a program stand for. */
export class Names {
  readonly globals: Map<string, Name> = new Map();
  readonly functions: Map<string, UserFunction> = new Map();
  /** It runs other commands, or needs what only the shell has. */
  callsOthers = false;
  readonly #calls: { readonly call: CallNode; readonly line: number }[] = [];
  #locals: ReadonlyMap<string, Name> = new Map();

  constructor() {
    for (const name of ["ENVIRON", "ARGV", "PROCINFO"])
      this.globals.set(name, { name, local: undefined, isArray: true });
  }

  /** The names of the function that is read now. */
  enter(parameters: readonly Name[]): void {
    this.#locals = new Map(parameters.map((name) => [name.name, name]));
  }

  find(name: string, line: number): Name {
    const refused = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
    if (refused !== undefined) throw syntaxError(line, `${name} is not supported; ${refused}`);
    const known = this.#locals.get(name) ?? this.globals.get(name);
    if (known) return known;
    const made: Name = { name, local: undefined, isArray: false };
    this.globals.set(name, made);
    return made;
  }

  called(call: CallNode, line: number): void {
    if (this.#locals.has(call.name) || this.globals.has(call.name))
      throw syntaxError(line, `error: attempt to use non-function \`${call.name}' in function call`);
    this.#calls.push({ call, line });
  }

  usesBuiltin(name: string, args: readonly Node[], line: number): void {
    const [least = 0, most = 0] = COUNTS[name] ?? [];
    if (args.length < least || args.length > most)
      throw syntaxError(line, `${args.length} is invalid as number of arguments for ${name}`);
    for (const at of ARRAY_ARGUMENTS[name] ?? []) {
      const arg = args[at];
      if (arg?.kind === "name") arg.name.isArray = true;
      else if (arg !== undefined && arg.kind !== "index")
        throw syntaxError(line, `${name}: argument ${at + 1} is not an array`);
    }
    if (name === "system") this.callsOthers = true;
  }

  /** Looks at all calls: which functions there are, and which names are arrays since a parameter is one. */
  resolve(): void {
    for (const { call, line } of this.#calls) {
      const called = this.functions.get(call.name);
      if (!called) throw new AwkError(`cmd. line:${line}: fatal: function \`${call.name}' not defined`);
      if (call.args.length > called.parameters.length)
        throw new AwkError(
          `cmd. line:${line}: fatal: function \`${call.name}' called with more arguments than declared`,
        );
    }
    for (const name of this.functions.keys())
      if (this.globals.has(name))
        throw new AwkError(`fatal: function name \`${name}' is used as a variable or an array`, 1);
    for (let isChanged = true; isChanged;) {
      isChanged = false;
      for (const { call } of this.#calls) if (this.#share(call)) isChanged = true;
    }
  }

  #share({ name, args }: CallNode): boolean {
    const { parameters = [] } = this.functions.get(name) ?? {};
    let isChanged = false;
    for (const [at, arg] of args.entries()) {
      const parameter = parameters[at];
      if (arg.kind !== "name" || !parameter || arg.name.isArray === parameter.isArray) continue;
      arg.name.isArray = true;
      parameter.isArray = true;
      isChanged = true;
    }
    return isChanged;
  }
}
