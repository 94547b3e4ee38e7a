import { AwkArray } from "./awk-array.ts";
import { AwkError } from "./awk-error.ts";
import { type Code, numberCode, textCode, valueCode } from "./code.ts";
import { formatNumber } from "./number-text.ts";
import type { ExpressionCompiler } from "./compile-expression.ts";
import type { Machine } from "./machine.ts";
import type { ArrayPlace, FieldNode, IndexNode, NameNode, Node, Place } from "./syntax.ts";
import { type Cell, numberOf, toNumber, UserText } from "./values.ts";

/** A variable, an element or a field, ready to be read and written. */
export interface PlaceCode {
  readonly read: Code;
  readonly write: (value: Cell) => void;
  /** Computes with what is there, writes the result and gives it; which place it is, is computed once, and last. */
  readonly compute: (operation: Operation, by: () => number) => () => number;
}

type Operation = (left: number, right: number) => number;

/** Makes code of places. */
export class PlaceCompiler {
  readonly #machine: Machine;
  readonly #expressions: ExpressionCompiler;

  constructor(machine: Machine, expressions: ExpressionCompiler) {
    this.#machine = machine;
    this.#expressions = expressions;
  }

  compile(place: Place): PlaceCode {
    switch (place.kind) {
      case "name":
        return place.name.local === undefined ? this.#global(place) : this.#local(place, place.name.local);
      case "index":
        return this.#element(place);
      case "field":
        return this.#field(place);
    }
  }

  #global({ name: { name, isArray } }: NameNode): PlaceCode {
    const { variables } = this.#machine;
    if (isArray) throw new AwkError(`fatal: attempt to use array \`${name}' in a scalar context`);
    const { cells } = variables;
    const place = variables.place(name);
    const hook = variables.hook(name);
    if (!hook)
      return {
        read: valueCode(() => cells[place], variables),
        write: (value) => void (cells[place] = value),
        compute: (operation, by) => () => {
          const right = by();
          const result = operation(numberOf(cells[place]), right);
          cells[place] = result;
          return result;
        },
      };
    const read = hook.get ?? ((): Cell => cells[place]);
    const write = (value: Cell): void => {
      cells[place] = value;
      hook.set(value);
    };
    // Counts are whole numbers, most often of records.
    const code = hook.get ? numberCode(() => numberOf(read()), variables) : valueCode(read, variables);
    const compute: PlaceCode["compute"] = (operation, by) => () => {
      const right = by();
      const result = operation(code.number(), right);
      write(result);
      return result;
    };
    return { read: code, write, compute };
  }

  #local({ name: { name, isArray } }: NameNode, at: number): PlaceCode {
    const machine = this.#machine;
    if (isArray) throw new AwkError(`fatal: attempt to use array \`${name}' in a scalar context`);
    return {
      read: valueCode(() => machine.frame[at] as Cell, machine.variables),
      write: (value) => void (machine.frame[at] = value),
      compute: (operation, by) => () => {
        const right = by();
        const result = operation(numberOf(machine.frame[at] as Cell), right);
        machine.frame[at] = result;
        return result;
      },
    };
  }

  #element({ array, keys }: IndexNode): PlaceCode {
    const elements = this.array(array);
    const key = this.key(keys);
    return {
      read: valueCode(() => elements().get(key()), this.#machine.variables),
      write: (value) => elements().set(key(), value),
      compute: (operation, by) => () => {
        const right = by();
        const all = elements();
        const at = key();
        const result = operation(numberOf(all.peek(at)), right);
        all.set(at, result);
        return result;
      },
    };
  }

  #field({ index }: FieldNode): PlaceCode {
    const { variables } = this.#machine;
    const { record } = variables;
    const which = index.kind === "number" ? index.value : undefined;
    if (which === 0)
      return {
        read: { ...textCode(() => record.text), ...this.#userText(() => record.text) },
        write: (value) => record.setField(0, value),
        compute: this.#computeField(() => 0),
      };
    const number = which === undefined ? this.#expressions.compile(index).number : (): number => which;
    return {
      read: {
        ...textCode(() => record.fieldText(number())),
        ...this.#userText(undefined, number),
        printed: () => record.printedField(number(), variables.outputFormat),
      },
      write: (value) => record.setField(number(), value),
      compute: this.#computeField(number),
    };
  }

  #computeField(number: () => number): PlaceCode["compute"] {
    const { record } = this.#machine.variables;
    return (operation, by) => () => {
      const right = by();
      const at = number();
      const result = operation(toNumber(record.fieldText(at)), right);
      record.setField(at, result);
      return result;
    };
  }

  /** Of fields, which may look like a number. */
  #userText(
    text: (() => string) | undefined,
    number: () => number = () => 0,
  ): Pick<Code, "value" | "truth" | "number"> {
    const { record } = this.#machine.variables;
    const value = text ? (): Cell => new UserText(text()) : (): Cell => record.field(number());
    const { truth, number: asNumber } = valueCode(value, this.#machine.variables);
    return { value, truth, number: text ? (): number => numberOf(text()) : asNumber };
  }

  /** The array that a place has or is to have. */
  array(place: ArrayPlace): () => AwkArray {
    const machine = this.#machine;
    if (place.kind === "index") {
      const elements = this.array(place.array);
      const key = this.key(place.keys);
      return () => elements().inner(key());
    }
    const { name, local } = place.name;
    if (local === undefined) {
      const array = machine.variables.array(name);
      return () => array;
    }
    return () => {
      const cell = machine.frame[local];
      if (cell instanceof AwkArray) return cell;
      throw new AwkError(`fatal: attempt to use scalar parameter \`${name}' as an array`);
    };
  }

  /** The key that subscripts make. */
  key(keys: readonly Node[]): () => string {
    const { variables } = this.#machine;
    const [first, ...rest] = keys.map((key) => this.#keyPart(key));
    if (!first) return () => "";
    if (rest.length === 0) return first;
    return () => rest.reduce((key, part) => key + variables.keySeparator + part(), first());
  }

  #keyPart(node: Node): () => string {
    const { variables } = this.#machine;
    const code = this.#expressions.compile(node);
    return () => {
      const value = code.value();
      if (typeof value === "string") {
        if (value.length > 1000) this.#machine.did(value.length >> 5);
        return value;
      }
      if (typeof value === "number") return formatNumber(value, variables.numberFormat);
      return variables.text(value);
    };
  }
}
