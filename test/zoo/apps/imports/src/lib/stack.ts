export interface Item {
  readonly value: number;
}

export default class Stack<T extends Item = Item> {
  static #made = 0;
  readonly items: T[] = [];
  declare hint: string;

  constructor(
    private readonly label: string,
    public limit = 2,
  ) {
    Stack.#made += 1;
  }

  push(item: T): this {
    if (this.items.length === this.limit) this.items.shift();
    this.items.push(item);
    return this;
  }

  get sum(): number {
    return this.items.reduce((sum, { value }) => sum + value, 0);
  }

  toString(): string {
    return `${this.label}#${Stack.#made}: ${this.sum}`;
  }
}
