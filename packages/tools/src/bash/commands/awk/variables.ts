import { type ArrayBudget, ARRAY_CHARACTERS, AwkArray } from "./awk-array.ts";
import { AwkError } from "./awk-error.ts";
import { AwkRecord } from "./record.ts";
import { Regexes } from "./regex/regex.ts";
import { patternSplitter, separatorSplitter, type Splitter, widthSplitter } from "./split-text.ts";
import type { Name } from "./syntax.ts";
import { type Cell, isTrue, numberOf, textOf } from "./values.ts";

const FIRST_VALUES: Readonly<Record<string, Cell>> = {
  FS: " ",
  OFS: " ",
  ORS: "\n",
  RS: "\n",
  SUBSEP: "\x1c",
  CONVFMT: "%.6g",
  OFMT: "%.6g",
  FPAT: "[^[:space:]]+",
  RSTART: 0,
  RLENGTH: -1,
  RT: "",
  FILENAME: "",
  IGNORECASE: 0,
};

/** What is not a plain variable: reading it asks for something, and writing it does something. */
interface Hook {
  readonly get?: () => Cell;
  readonly set: (value: Cell) => void;
}

/** The variables of a program, those that awk itself has among them. */
export class Variables {
  readonly cells: Cell[] = [];
  readonly regexes: Regexes = new Regexes();
  readonly budget: ArrayBudget = { left: ARRAY_CHARACTERS };
  readonly record: AwkRecord = new AwkRecord(this.#formatOfRecord());
  /** Records so far, in all and in this file. */
  records = 0;
  recordsOfFile = 0;
  outputSeparator = " ";
  recordEnd = "\n";
  recordSeparator = "\n";
  keySeparator = "\x1c";
  numberFormat = "%.6g";
  outputFormat = "%.6g";
  ignoreCase = false;
  /** What was done with texts of records, in the measure of the machine, which sets it back. */
  work = 0;
  readonly #places = new Map<string, number>();
  readonly #hooks: Readonly<Record<string, Hook>>;
  #fieldSeparator = " ";
  #splitBy: "FS" | "FPAT" | "FIELDWIDTHS" = "FS";
  #splitter: Splitter | undefined;

  constructor(names: Iterable<Name>) {
    for (const { name, isArray } of names) this.#add(name, isArray);
    this.#hooks = this.#makeHooks();
    for (const [name, value] of Object.entries(FIRST_VALUES)) this.cells[this.#add(name, false)] = value;
  }

  #add(name: string, isArray: boolean): number {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const place = this.cells.length;
    this.#places.set(name, place);
    this.cells.push(isArray ? this.makeArray() : undefined);
    return place;
  }

  makeArray(): AwkArray {
    return new AwkArray(this.budget);
  }

  place(name: string): number {
    return this.#add(name, false);
  }

  hook(name: string): Hook | undefined {
    return Object.hasOwn(this.#hooks, name) ? this.#hooks[name] : undefined;
  }

  get(name: string): Cell {
    const hook = this.hook(name);
    return hook?.get ? hook.get() : this.cells[this.place(name)];
  }

  set(name: string, value: Cell): void {
    this.cells[this.place(name)] = value;
    this.hook(name)?.set(value);
  }

  array(name: string): AwkArray {
    const place = this.place(name);
    const cell = this.cells[place];
    if (cell instanceof AwkArray) return cell;
    const made = this.makeArray();
    this.cells[place] = made;
    return made;
  }

  text(value: Cell): string {
    return textOf(value, this.numberFormat);
  }

  get splitter(): Splitter {
    return (this.#splitter ??= this.#makeSplitter());
  }

  get fieldSeparator(): string {
    return this.#fieldSeparator;
  }

  #makeSplitter(): Splitter {
    const { regexes, ignoreCase } = this;
    const did = (work: number): void => void (this.work += work);
    if (this.#splitBy === "FPAT") return patternSplitter(regexes.get(this.text(this.get("FPAT")), ignoreCase), did);
    if (this.#splitBy === "FS")
      return separatorSplitter(this.#fieldSeparator, regexes, { ignoreCase, lines: this.recordSeparator === "", did });
    const widths = this.text(this.get("FIELDWIDTHS"));
    const splitter = widthSplitter(widths);
    if (!splitter) throw new AwkError(`fatal: invalid FIELDWIDTHS value: \`${widths.slice(0, 100)}'`);
    return splitter;
  }

  #formatOfRecord(): ConstructorParameters<typeof AwkRecord>[0] {
    const own = (): Variables => this;
    return {
      get splitter() {
        return own().splitter;
      },
      get outputSeparator() {
        return own().outputSeparator;
      },
      get numberFormat() {
        return own().numberFormat;
      },
      did(work: number): void {
        own().work += work;
      },
    };
  }

  #makeHooks(): Readonly<Record<string, Hook>> {
    const splitBy = (how: "FS" | "FPAT" | "FIELDWIDTHS"): void => {
      this.#splitBy = how;
      this.#splitter = undefined;
    };
    return {
      NF: { get: () => this.record.count, set: (value) => void (this.record.count = numberOf(value)) },
      NR: { get: () => this.records, set: (value) => void (this.records = numberOf(value)) },
      FNR: { get: () => this.recordsOfFile, set: (value) => void (this.recordsOfFile = numberOf(value)) },
      FS: {
        set: (value) => {
          this.#fieldSeparator = this.text(value);
          splitBy("FS");
        },
      },
      FPAT: { set: () => splitBy("FPAT") },
      FIELDWIDTHS: { set: () => splitBy("FIELDWIDTHS") },
      RS: {
        set: (value) => {
          this.recordSeparator = this.text(value);
          this.#splitter = undefined;
        },
      },
      IGNORECASE: {
        set: (value) => {
          this.ignoreCase = isTrue(value);
          this.#splitter = undefined;
        },
      },
      OFS: {
        set: (value) => {
          // Fields that were assigned to before are joined by the old one.
          void this.record.text;
          this.outputSeparator = this.text(value);
        },
      },
      ORS: { set: (value) => void (this.recordEnd = this.text(value)) },
      SUBSEP: { set: (value) => void (this.keySeparator = this.text(value)) },
      CONVFMT: { set: (value) => void (this.numberFormat = this.text(value)) },
      OFMT: { set: (value) => void (this.outputFormat = this.text(value)) },
    };
  }
}
