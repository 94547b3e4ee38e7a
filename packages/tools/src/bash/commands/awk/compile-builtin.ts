import { AwkArray } from "./awk-array.ts";
import { AwkError } from "./awk-error.ts";
import { bitFunction } from "./bit-functions.ts";
import { hasPairs, lengthOf } from "./byte-text.ts";
import { type Code, numberCode, textCode } from "./code.ts";
import type { ExpressionCompiler } from "./compile-expression.ts";
import { compileMatch } from "./compile-pattern-builtin.ts";
import { fillFormat } from "./format.ts";
import type { Machine } from "./machine.ts";
import { type Format, keptFormat } from "./parse-format.ts";
import { orderOf, sortArray } from "./sort-arrays.ts";
import type { ArrayPlace, Node } from "./syntax.ts";
import { partOf, placeIn, withCase } from "./text-functions.ts";
import { formatTime, secondsOf } from "./time-functions.ts";
import { type Cell, toNumber, UserText } from "./values.ts";

type Call = Extract<Node, { kind: "builtin" }>;

const MATH: Readonly<Record<string, (number: number) => number>> = {
  sin: Math.sin,
  cos: Math.cos,
  exp: Math.exp,
  log: Math.log,
  sqrt: Math.sqrt,
  int: Math.trunc,
};

/** Makes code of calls of awk's own functions. */
export class BuiltinCompiler {
  readonly #machine: Machine;
  readonly #expressions: ExpressionCompiler;

  constructor(machine: Machine, expressions: ExpressionCompiler) {
    this.#machine = machine;
    this.#expressions = expressions;
  }

  compile({ name, args }: Call): Code {
    const machine = this.#machine;
    const { variables } = machine;
    const math = Object.hasOwn(MATH, name) ? MATH[name] : undefined;
    if (math) {
      const { number } = this.#arg(args, 0);
      return numberCode(() => math(number()), variables);
    }
    switch (name) {
      case "length":
        return this.#length(args);
      case "substr":
        return this.#substr(args);
      case "index": {
        const [text, part] = [this.#arg(args, 0).text, this.#arg(args, 1).text];
        return numberCode(() => placeIn(this.#looked(text()), part(), variables.ignoreCase), variables);
      }
      case "tolower":
      case "toupper": {
        const { text } = this.#arg(args, 0);
        return textCode(() => withCase(this.#looked(text()), name === "toupper"));
      }
      case "sprintf": {
        const values = this.#expressions.values(args.slice(1));
        const { text } = this.#arg(args, 0);
        const read = keptFormat();
        return textCode(() => this.#format(read(text()), values()));
      }
      case "match":
        return compileMatch(args, machine, this.#expressions);
      case "asort":
      case "asorti":
        return this.#sort(name, args);
      case "typeof":
      case "isarray":
        return this.#type(name, args);
      default:
        return this.#numbers(name, args);
    }
  }

  #format(format: Format, values: readonly Cell[]): string {
    const text = fillFormat(format, values, { isStrict: true, convert: this.#machine.variables.numberFormat });
    this.#looked(text);
    return text;
  }

  #arg(args: readonly Node[], at: number): Code {
    return this.#expressions.compile(args[at] ?? { kind: "text", value: "" });
  }

  /** Of a text all of which was looked at. */
  #looked(text: string): string {
    if (text.length > 64) this.#machine.did(text.length >> 6);
    return text;
  }

  #length(args: readonly Node[]): Code {
    const { variables } = this.#machine;
    const [arg] = args;
    if (!arg) {
      const { record } = variables;
      return numberCode(() => lengthOf(this.#looked(record.text)), variables);
    }
    const array = this.#arrayOf(arg);
    if (array) return numberCode(() => array().size, variables);
    const { value } = this.#expressions.compile(arg);
    return numberCode(() => {
      const cell = value();
      return cell instanceof AwkArray ? cell.size : lengthOf(this.#looked(variables.text(cell)));
    }, variables);
  }

  #arrayOf(node: Node): (() => AwkArray) | undefined {
    return node.kind === "name" && node.name.isArray ? this.#expressions.places.array(node) : undefined;
  }

  #substr(args: readonly Node[]): Code {
    const { text } = this.#arg(args, 0);
    const { number: from } = this.#arg(args, 1);
    const count = args.length > 2 ? this.#arg(args, 2).number : (): number => Number.POSITIVE_INFINITY;
    return textCode(() => {
      const whole = text();
      const start = from();
      const length = count();
      if (whole.length > 64 && hasPairs(whole)) this.#machine.did(whole.length);
      return partOf(this.#looked(whole), start, length);
    });
  }

  #sort(name: string, args: readonly Node[]): Code {
    const { variables } = this.#machine;
    const { places } = this.#expressions;
    const source = places.array(args[0] as ArrayPlace);
    const target = args[1] ? places.array(args[1] as ArrayPlace) : source;
    const how = args[2] ? this.#arg(args, 2).text : (): string => (name === "asort" ? "@val_type_asc" : "@ind_str_asc");
    return numberCode(() => {
      const from = source();
      const order = orderOf(how(), variables, name);
      this.#machine.did(from.size * 4);
      return sortArray(from, target(), order, name === "asorti");
    }, variables);
  }

  #type(name: string, args: readonly Node[]): Code {
    const { variables } = this.#machine;
    const [arg] = args;
    const isArray = arg && this.#arrayOf(arg);
    if (name === "isarray") {
      const value = arg && !isArray ? this.#expressions.compile(arg).value : undefined;
      return numberCode(() => (isArray || value?.() instanceof AwkArray ? 1 : 0), variables);
    }
    if (isArray) return textCode(() => "array");
    const { value } = this.#arg(args, 0);
    const index = arg?.kind === "field" ? this.#expressions.compile(arg.index).number : undefined;
    return textCode(() => {
      if (index && index() > variables.record.count) return "unassigned";
      const cell = value();
      if (cell === undefined) return "untyped";
      if (cell instanceof AwkArray) return "array";
      if (cell instanceof UserText) return cell.number === undefined ? "string" : "strnum";
      return typeof cell === "number" ? "number" : "string";
    });
  }

  #numbers(name: string, args: readonly Node[]): Code {
    const machine = this.#machine;
    const { variables } = machine;
    const first = this.#arg(args, 0);
    switch (name) {
      case "atan2": {
        const { number: second } = this.#arg(args, 1);
        return numberCode(() => {
          const y = first.number();
          return Math.atan2(y, second());
        }, variables);
      }
      case "rand":
        return numberCode(() => machine.random.next(), variables);
      case "srand":
        return numberCode(() => {
          const before = machine.random.seed;
          machine.random.start(args.length > 0 ? Math.trunc(first.number()) : Math.floor(machine.now() / 1000));
          return before;
        }, variables);
      case "systime":
        return numberCode(() => Math.floor(machine.now() / 1000), variables);
      case "mktime":
        return numberCode(() => this.#inUtc(name, secondsOf(first.text())), variables);
      case "strftime":
        return this.#strftime(args);
      case "strtonum":
        return numberCode(() => toWholeNumber(first.value(), variables.numberFormat), variables);
      case "mkbool":
        return numberCode(() => (first.truth() ? 1 : 0), variables);
      default: {
        const numbers = args.map((arg) => this.#expressions.compile(arg).number);
        return numberCode(
          () =>
            bitFunction(
              name,
              numbers.map((number) => number()),
            ),
          variables,
        );
      }
    }
  }

  #strftime(args: readonly Node[]): Code {
    const { now } = this.#machine;
    const format = args.length > 0 ? this.#arg(args, 0).text : (): string => "%a %b %e %H:%M:%S %Z %Y";
    const seconds = args.length > 1 ? this.#arg(args, 1).number : (): number => now() / 1000;
    const isUtc = args.length > 2 ? this.#arg(args, 2).truth : (): boolean => false;
    return textCode(() => {
      const text = format();
      const time = formatTime(text, seconds());
      return isUtc()
        ? time.replace(/\bUTC\b/, (zone) => (text.includes("%Z") ? "GMT" : zone))
        : this.#inUtc("strftime", time);
    });
  }

  /** Of another zone nothing is known here. */
  #inUtc<T>(name: string, result: T): T {
    const environment = this.#machine.variables.array("ENVIRON");
    const zone = environment.has("TZ") ? this.#machine.variables.text(environment.get("TZ")) : "";
    if (!/^(?::?(?:|UTC|UTC0|GMT|GMT0|Etc\/UTC))$/.test(zone))
      throw new AwkError(`fatal: ${name}: the time zone ${zone} is not supported; times are in UTC here`);
    return result;
  }
}

/** A text that begins with `0x` or `0` is hexadecimal or octal. */
function toWholeNumber(value: Cell, format: string): number {
  if (typeof value === "number") return value;
  const text =
    value === undefined ? "" : typeof value === "string" ? value : value instanceof UserText ? value.text : format;
  const [, hex, octal] = /^\s*(?:0[xX]([\da-fA-F]+)|(0[0-7]+)(?![\d.eE]))/.exec(text) ?? [];
  const digits = hex ?? octal;
  if (digits === undefined) return toNumber(text);
  return Number.parseInt(digits, hex === undefined ? 8 : 16);
}
