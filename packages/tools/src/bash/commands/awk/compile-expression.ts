import { AwkError } from "./awk-error.ts";
import { checkLength } from "./byte-text.ts";
import { BuiltinCompiler } from "./compile-builtin.ts";
import { type Code, numberCode, testCode, textCode, valueCode } from "./code.ts";
import type { Machine } from "./machine.ts";
import { PlaceCompiler } from "./place-code.ts";
import { Regex } from "./regex/regex.ts";
import type { Arithmetic, Node } from "./syntax.ts";
import { type Cell, compareValues, numberOf } from "./values.ts";

type Binary = Extract<Node, { kind: "binary" }>;
type Compare = Extract<Node, { kind: "compare" }>;

/** Makes code of expressions that neither call functions nor wait for anything: those parts were kept before. */
export class ExpressionCompiler {
  readonly places: PlaceCompiler;
  readonly #machine: Machine;
  readonly #builtins: BuiltinCompiler;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.places = new PlaceCompiler(machine, this);
    this.#builtins = new BuiltinCompiler(machine, this);
  }

  compile(node: Node): Code {
    const machine = this.#machine;
    const { variables } = machine;
    switch (node.kind) {
      case "number": {
        const { value } = node;
        return numberCode(() => value, variables);
      }
      case "text": {
        const { value } = node;
        const number = numberOf(value);
        return { ...textCode(() => value), number: () => number };
      }
      case "regex": {
        const matches = this.matcher(node);
        const { record } = variables;
        return testCode(() => matches(record.text));
      }
      case "name":
      case "index":
      case "field":
        return this.places.compile(node).read;
      case "kept": {
        const { place } = node;
        return valueCode(() => machine.frame[place] as Cell, variables);
      }
      case "group":
        return this.compile(node.inner);
      case "assign":
        return this.#assign(node);
      case "increment":
        return this.#increment(node);
      case "unary":
        return this.#unary(node);
      case "binary":
        return numberCode(this.#binary(node), variables);
      case "compare":
        return testCode(this.#compare(node));
      case "match": {
        const { text } = this.compile(node.left);
        const matches = this.matcher(node.right);
        return testCode(node.isNegated ? () => !matches(text()) : () => matches(text()));
      }
      case "join":
        return textCode(this.#join(node.parts));
      case "and":
      case "or": {
        const { truth: left } = this.compile(node.left);
        const { truth: right } = this.compile(node.right);
        return testCode(node.kind === "and" ? () => left() && right() : () => left() || right());
      }
      case "choose": {
        const { truth } = this.compile(node.test);
        const yes = this.compile(node.yes);
        const no = this.compile(node.no);
        return valueCode(() => (truth() ? yes.value() : no.value()), variables);
      }
      case "in": {
        const array = this.places.array(node.array);
        const key = this.places.key(node.keys);
        return testCode(() => {
          const at = key();
          return array().has(at);
        });
      }
      case "builtin":
        return this.#builtins.compile(node);
      default:
        throw new Error(`no code for ${node.kind}`);
    }
  }

  /** Whether a text matches; a text as a pattern may be another one each time. */
  matcher(node: Node): (text: string) => boolean {
    const regex = this.regex(node);
    return (text) => {
      this.#machine.did(text.length >> 3);
      return regex().test(text);
    };
  }

  regex(node: Node): () => Regex {
    const { variables } = this.#machine;
    const { regexes } = variables;
    const inner = node.kind === "group" ? node.inner : node;
    if (inner.kind === "regex") {
      const { source } = inner;
      // Beforehand: what is wrong with it is said though it is never used.
      const plain = new Regex(source);
      return () => (variables.ignoreCase ? regexes.get(source, true) : plain);
    }
    const { text } = this.compile(node);
    let [last, lastIgnoresCase, regex] = ["", false, new Regex("")];
    return () => {
      const source = text();
      if (source !== last || variables.ignoreCase !== lastIgnoresCase) {
        regex = regexes.get(source, variables.ignoreCase);
        [last, lastIgnoresCase] = [source, variables.ignoreCase];
      }
      return regex;
    };
  }

  #assign({ operator, target, value }: Extract<Node, { kind: "assign" }>): Code {
    const place = this.places.compile(target);
    const { variables } = this.#machine;
    const given = this.compile(value);
    if (operator === "")
      return valueCode(() => {
        const cell = this.#scalar(given.value());
        place.write(cell);
        return cell;
      }, variables);
    return numberCode(place.compute(ARITHMETIC[operator], given.number), variables);
  }

  #scalar(value: Cell): Cell {
    // Of an array there is no copy.
    if (typeof value === "object" && !("text" in value))
      throw new AwkError("fatal: attempt to use an array in a scalar context");
    return value;
  }

  #increment({ target, by, isBefore }: Extract<Node, { kind: "increment" }>): Code {
    const place = this.places.compile(target);
    let before = 0;
    const compute = place.compute(
      (old, step) => {
        before = old;
        return old + step;
      },
      () => by,
    );
    const old = (): number => {
      compute();
      return before;
    };
    return numberCode(isBefore ? compute : old, this.#machine.variables);
  }

  #unary({ operator, operand }: Extract<Node, { kind: "unary" }>): Code {
    const { variables } = this.#machine;
    if (operator === "!") {
      const { truth } = this.compile(operand);
      return testCode(() => !truth());
    }
    const { number } = this.compile(operand);
    return numberCode(operator === "-" ? () => -number() : number, variables);
  }

  #binary({ operator, left, right }: Binary): () => number {
    const { number: first } = this.compile(left);
    const { number: second } = this.compile(right);
    switch (operator) {
      case "+":
        return () => first() + second();
      case "-":
        return () => first() - second();
      case "*":
        return () => first() * second();
      default: {
        const compute = ARITHMETIC[operator];
        return () => compute(first(), second());
      }
    }
  }

  #compare({ operator, left, right }: Compare): () => boolean {
    const machine = this.#machine;
    const { variables } = machine;
    const first = this.compile(left).value;
    const second = this.compile(right).value;
    const compare = (): number => {
      const a = first();
      const b = second();
      if (typeof a === "number" && typeof b === "number" && a - b === a - b) return a - b;
      if (typeof a === "string" && a.length > 1000) machine.did(a.length >> 5);
      return compareValues(a, b, variables.numberFormat, variables.ignoreCase);
    };
    switch (operator) {
      case "<":
        return () => compare() < 0;
      case "<=":
        return () => compare() <= 0;
      case "==":
        return () => compare() === 0;
      case "!=":
        return () => compare() !== 0;
      case ">":
        return () => compare() > 0;
      default:
        return () => compare() >= 0;
    }
  }

  #join(nodes: readonly Node[]): () => string {
    const machine = this.#machine;
    const texts = nodes.map((node) => this.compile(node).text);
    const [first = (): string => "", second, ...more] = texts;
    if (!second) return first;
    const checked = (text: string): string => {
      if (text.length > 1000) {
        checkLength(text.length);
        machine.did(8);
      }
      return text;
    };
    if (more.length === 0) return () => checked(first() + second());
    return () => checked(texts.reduce((joined, text) => joined + text(), ""));
  }

  /** The values of nodes, as a list each time. */
  values(nodes: readonly Node[]): () => Cell[] {
    const codes = nodes.map((node) => this.compile(node).value);
    return () => codes.map((value) => value());
  }
}

const ARITHMETIC: Readonly<Record<Arithmetic, (left: number, right: number) => number>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => {
    if (right === 0) throw new AwkError("fatal: division by zero attempted");
    return left / right;
  },
  "%": (left, right) => {
    if (right === 0) throw new AwkError("fatal: division by zero attempted in `%'");
    return left % right;
  },
  "^": (left, right) => left ** right,
};
