import { AwkError } from "./awk-error.ts";
import type { Cell } from "./values.ts";

/** What all arrays of a program may still hold, in characters. */
export interface ArrayBudget {
  left: number;
}

/** About what an element takes beside its key and text. */
const ELEMENT = 40;
/** What the arrays of a program may hold. */
export const ARRAY_CHARACTERS: number = 48 * 1024 * 1024;

/** An associative array, in the order in which its elements came. */
export class AwkArray {
  readonly #elements = new Map<string, Cell>();
  readonly #budget: ArrayBudget;
  #held = 0;

  constructor(budget: ArrayBudget) {
    this.#budget = budget;
  }

  get size(): number {
    return this.#elements.size;
  }

  has(key: string): boolean {
    return this.#elements.has(key);
  }

  /** The element is there from now on, as in all of awk where one is asked for. */
  get(key: string): Cell {
    const value = this.#elements.get(key);
    if (value === undefined && !this.#elements.has(key)) this.set(key, undefined);
    return value;
  }

  /** Without that. */
  peek(key: string): Cell {
    return this.#elements.get(key);
  }

  set(key: string, value: Cell): void {
    const old = this.#elements.get(key);
    const isNew = old === undefined && !this.#elements.has(key);
    this.#take(sizeOf(value) - sizeOf(old) + (isNew ? ELEMENT + key.length : 0));
    this.#elements.set(key, value);
  }

  /** The array in an array, which is made where nothing is there yet. */
  inner(key: string): AwkArray {
    const value = this.#elements.get(key);
    if (value instanceof AwkArray) return value;
    if (value !== undefined)
      throw new AwkError(`fatal: attempt to use a scalar as an array: element "${key.slice(0, 100)}"`);
    const made = new AwkArray(this.#budget);
    this.set(key, made);
    return made;
  }

  delete(key: string): void {
    const value = this.#elements.get(key);
    if (!this.#elements.delete(key)) return;
    if (value instanceof AwkArray) value.clear();
    this.#take(-sizeOf(value) - ELEMENT - key.length);
  }

  clear(): void {
    for (const value of this.#elements.values()) if (value instanceof AwkArray) value.clear();
    this.#elements.clear();
    this.#take(-this.#held);
  }

  keys(): string[] {
    return [...this.#elements.keys()];
  }

  entries(): [string, Cell][] {
    return [...this.#elements];
  }

  #take(characters: number): void {
    this.#held += characters;
    this.#budget.left -= characters;
    if (this.#budget.left < 0)
      throw new AwkError("limit exceeded: the arrays hold more than the 48 MiB that are possible here");
  }
}

function sizeOf(value: Cell): number {
  if (typeof value === "string") return value.length;
  return typeof value === "object" && "text" in value ? value.text.length : 0;
}
