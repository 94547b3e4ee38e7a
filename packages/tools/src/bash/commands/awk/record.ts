import { AwkError } from "./awk-error.ts";
import { checkLength } from "./byte-text.ts";
import type { Splitter } from "./split-text.ts";
import { type Cell, textOf, UserText } from "./values.ts";

/** Most fields of a record. */
const MOST_FIELDS = 2_000_000;

export interface RecordFormat {
  readonly splitter: Splitter;
  readonly outputSeparator: string;
  readonly numberFormat: string;
  /** Is told how much was done with a text. */
  did(work: number): void;
}

/** A record and its fields, each made of the other when it is asked for. */
export class AwkRecord {
  readonly #format: RecordFormat;
  #text = "";
  /** The fields are newer than the text. */
  #isStale = false;
  #fields: string[] = [];
  /** What was assigned to fields, by their number. */
  #assigned: Cell[] | undefined;
  /** What is to split the text; undefined once it was split. */
  #splitter: Splitter | undefined;

  constructor(format: RecordFormat) {
    this.#format = format;
  }

  get text(): string {
    if (this.#isStale) {
      this.#isStale = false;
      this.#text = this.#fields.join(this.#format.outputSeparator);
      checkLength(this.#text.length);
      this.#format.did((this.#text.length + this.#fields.length) >> 3);
    }
    return this.#text;
  }

  set text(text: string) {
    this.#text = text;
    this.#isStale = false;
    this.#assigned = undefined;
    this.#splitter = this.#format.splitter;
  }

  get count(): number {
    if (this.#splitter) this.#split(this.#splitter);
    return this.#fields.length;
  }

  set count(count: number) {
    if (!(count >= 0)) throw new AwkError("fatal: NF set to negative value");
    const whole = Math.trunc(count);
    this.#checkCount(whole);
    const { count: before } = this;
    this.#format.did(Math.abs(whole - before) >> 3);
    this.#assigned?.splice(whole + 1);
    for (let at = before; at < whole; at++) this.#fields.push("");
    this.#fields.length = whole;
    this.#isStale = true;
  }

  /** Number 0 is all of the record. */
  field(number: number): Cell {
    const at = this.#place(number);
    if (at === 0) return new UserText(this.text);
    if (this.#splitter) this.#split(this.#splitter);
    if (this.#assigned && at in this.#assigned) return this.#assigned[at];
    const text = this.#fields[at - 1];
    return new UserText(text ?? "");
  }

  fieldText(number: number): string {
    const at = this.#place(number);
    if (at === 0) return this.text;
    if (this.#splitter) this.#split(this.#splitter);
    return this.#fields[at - 1] ?? "";
  }

  /** As `print` has it: with a format of its own for a number that was assigned. */
  printedField(number: number, format: string): string {
    const assigned = this.#assigned?.[this.#place(number)];
    return typeof assigned === "number" ? textOf(assigned, format) : this.fieldText(number);
  }

  setField(number: number, value: Cell): void {
    const at = this.#place(number);
    const text = textOf(value, this.#format.numberFormat);
    if (at === 0) {
      this.text = text;
      return;
    }
    if (at > this.count) this.count = at;
    this.#fields[at - 1] = text;
    (this.#assigned ??= [])[at] = value;
    this.#isStale = true;
  }

  /** There are so many fields at least, as where one is to be written to; that makes no other text of the record. */
  reach(number: number): void {
    const at = this.#place(number);
    this.#checkCount(at);
    for (let { count } = this; count < at; count++) this.#fields.push("");
  }

  #split(splitter: Splitter): void {
    this.#splitter = undefined;
    this.#fields = splitter(this.#text);
    this.#format.did(this.#text.length >> 3);
    this.#checkCount(this.#fields.length);
  }

  #place(number: number): number {
    const at = Math.trunc(number);
    if (at < 0) throw new AwkError(`fatal: attempt to access field ${at}`);
    return at > 0 ? at : 0;
  }

  #checkCount(count: number): void {
    if (count > MOST_FIELDS)
      throw new AwkError(`limit exceeded: a record has more than the ${MOST_FIELDS} fields that are possible here`);
  }
}
