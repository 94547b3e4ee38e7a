import { substitute } from "./substitute.ts";
import { LineRanges } from "./line-ranges.ts";
import { printable } from "./printable.ts";
import type { SedInput } from "./sed-input.ts";
import type { SedOutput } from "./sed-output.ts";
import type { SedPattern } from "./sed-pattern.ts";
import { type SedCommand, SedError, type SedProgram } from "./sed-program.ts";

export interface MachineOptions {
  readonly isQuiet: boolean;
  /** Between lines: a line feed, or NUL. */
  readonly end: string;
  readonly width: number;
  /** Contents of what `r` and `R` name; undefined for what is not there. */
  readonly read: (file: string) => string | undefined;
  /** What `w` names, the same for each name. */
  readonly write: (file: string) => SedOutput;
}

/** Characters that a pattern space or hold space may have. */
const MOST_CHARACTERS = 16 * 1024 * 1024;
/** Commands, characters and steps of patterns, in some measure, between turns of the event loop. */
const PIECE = 100_000;
/** The same for one line: about a second. */
const MOST_WORK = 20 * PIECE;

type Append = { readonly text: string } | { readonly file: string };

/** Runs a program on an input. */
export class SedMachine {
  readonly output: SedOutput;
  /** What sed ends with. */
  code = 0;
  /** By `q` or `Q`, so that no more files are looked at. */
  hasQuit = false;
  readonly #commands: readonly SedCommand[];
  readonly #options: MachineOptions;
  readonly #input: SedInput;
  readonly #ranges: LineRanges;
  readonly #appends: Append[] = [];
  readonly #readers = new Map<string, string[]>();
  #space = "";
  #hold = "";
  #hasEnd = true;
  /** The same of what is held, with which it comes and goes. */
  #holdHasEnd = true;
  #replaced = false;
  #last: SedPattern | undefined;
  /** The next command; -1 where the next line is to be read first. */
  #next = -1;
  /** The cycle begins with what is left of the pattern space. */
  #restarts = false;
  #isDone = false;
  #work = 0;
  /** Since a line was read, without what was done since the last turn. */
  #lineWork = 0;

  constructor(program: SedProgram, input: SedInput, output: SedOutput, options: MachineOptions) {
    this.#commands = program.commands;
    this.#options = options;
    this.#input = input;
    this.#ranges = new LineRanges(program.commands);
    this.output = output;
  }

  /** Goes on for some milliseconds; whether that was all. */
  run(): boolean {
    this.#lineWork += this.#work;
    this.#work = 0;
    if (this.#lineWork > MOST_WORK)
      throw new SedError(`too much work at line ${this.#input.number}: a loop in the script may have no end`);
    while (!this.#isDone && this.#work < PIECE) {
      if (this.#next === -1) this.#begin();
      else if (this.#next >= this.#commands.length) this.#endCycle(true);
      else this.#step();
    }
    return this.#isDone;
  }

  #begin(): void {
    this.#next = 0;
    if (this.#restarts) this.#restarts = false;
    else if (!this.#read("")) this.#isDone = true;
  }

  /** Puts the next line behind `before` into the pattern space. */
  #read(before: string): boolean {
    this.#append();
    const line = this.#input.read();
    if (!line) return false;
    this.#space = before + line.text;
    this.#hasEnd = line.hasEnd;
    this.#replaced = false;
    this.#lineWork = 0;
    this.#work += 20 + line.text.length / 8;
    return true;
  }

  #endCycle(prints: boolean): void {
    if (prints && !this.#options.isQuiet) this.#print();
    this.#append();
    this.#next = -1;
  }

  #print(output: SedOutput = this.output): void {
    output.line(this.#space, this.#hasEnd);
  }

  #append(): void {
    for (const append of this.#appends.splice(0))
      this.#insert("text" in append ? append.text : (this.#options.read(append.file) ?? ""));
  }

  /** Begins a line of its own even with nothing. */
  #insert(text: string): void {
    this.output.complete();
    this.output.text(text);
  }

  #step(): void {
    const command = this.#commands[this.#next];
    this.#work++;
    if (!command || !this.#ranges.selects(command, this.#context)) {
      this.#next = command?.name === "{" ? command.end : this.#next + 1;
      return;
    }
    this.#next++;
    this.#do(command);
    if (this.#space.length > MOST_CHARACTERS || this.#hold.length > MOST_CHARACTERS)
      throw new SedError("more than the 16 MiB that a line may have here");
  }

  readonly #context = ((machine: SedMachine) => ({
    get number() {
      return machine.#input.number;
    },
    get isLast() {
      return machine.#input.isLast;
    },
    matches: ({ pattern }: { readonly pattern: SedPattern | undefined }) => machine.#find(pattern)(0) !== undefined,
  }))(this);

  /** A search with the pattern, or with the last one that was used. */
  #find(given: SedPattern | undefined): (from: number) => ReturnType<SedPattern["find"]> {
    const pattern = given ?? this.#last;
    if (!pattern) throw new SedError("no previous regular expression");
    this.#last = pattern;
    return (from) => {
      const before = pattern.steps;
      const match = pattern.find(this.#space, from);
      this.#work += 1 + (pattern.steps - before) / 4;
      return match;
    };
  }

  #do(command: SedCommand): void {
    switch (command.name) {
      case "s":
        return this.#substitute(command);
      case "y":
        this.#space = Array.from(this.#space, (char) => command.map.get(char) ?? char).join("");
        return undefined;
      case "i":
        return this.#insert(command.text);
      case "a":
        this.#appends.push({ text: command.text });
        return undefined;
      case "c":
        if (command.to === undefined || !this.#ranges.isOpen(command) || command.isNegated) this.#insert(command.text);
        return this.#endCycle(false);
      case "b":
        this.#next = command.target;
        return undefined;
      case "t":
      case "T":
        if (this.#replaced === (command.name === "t")) this.#next = command.target;
        this.#replaced = false;
        return undefined;
      case "q":
      case "Q":
        this.code = command.code;
        this.hasQuit = true;
        if (command.name === "q") this.#endCycle(true);
        this.#isDone = true;
        return undefined;
      case "=":
        return this.output.line(`${this.#input.number}`, true);
      case "l":
        return this.output.text(printable(this.#space, command.width ?? this.#options.width));
      case "F":
        return this.output.line(this.#input.name, true);
      case "r":
        this.#appends.push({ file: command.file });
        return undefined;
      case "R":
        return this.#appendLine(command.file);
      case "w":
        return this.#print(this.#options.write(command.file));
      case "W":
        return this.#printFirst(this.#options.write(command.file));
      default:
        return this.#doWithSpaces(command.name);
    }
  }

  #doWithSpaces(name: string): void {
    switch (name) {
      case "d":
        return this.#endCycle(false);
      case "D":
        if (!this.#space.includes(this.#options.end)) return this.#endCycle(false);
        this.#space = this.#space.slice(this.#firstLine.length + 1);
        this.#restarts = true;
        return this.#endCycle(false);
      case "g":
        this.#space = this.#hold;
        this.#hasEnd = this.#holdHasEnd;
        return undefined;
      case "G":
        this.#space += this.#options.end + this.#hold;
        this.#hasEnd = this.#holdHasEnd;
        return undefined;
      case "h":
        this.#hold = this.#space;
        this.#holdHasEnd = this.#hasEnd;
        return undefined;
      case "H":
        this.#hold += this.#options.end + this.#space;
        this.#holdHasEnd = this.#hasEnd;
        return undefined;
      case "x":
        [this.#space, this.#hold] = [this.#hold, this.#space];
        [this.#hasEnd, this.#holdHasEnd] = [this.#holdHasEnd, this.#hasEnd];
        return undefined;
      case "z":
        this.#space = "";
        return undefined;
      case "p":
        return this.#print();
      case "P":
        return this.#printFirst(this.output);
      case "n":
        if (!this.#input.isLast && !this.#options.isQuiet) this.#print();
        return this.#readOrEnd("");
      case "N":
        return this.#readOrEnd(this.#space + this.#options.end);
    }
  }

  /** Without a next line the pattern space is printed, and that is all. */
  #readOrEnd(before: string): void {
    if (!this.#input.isLast) this.#read(before);
    else {
      this.#endCycle(true);
      this.#isDone = true;
    }
  }

  #printFirst(output: SedOutput): void {
    output.line(this.#firstLine, this.#hasEnd || this.#space.includes(this.#options.end));
  }

  get #firstLine(): string {
    const end = this.#space.indexOf(this.#options.end);
    return end === -1 ? this.#space : this.#space.slice(0, end);
  }

  #appendLine(file: string): void {
    const lines = this.#readers.get(file) ?? this.#options.read(file)?.split(/(?<=\n)/) ?? [];
    this.#readers.set(file, lines);
    const line = lines.shift();
    if (line !== undefined) this.#appends.push({ text: line });
  }

  #substitute(command: Extract<SedCommand, { name: "s" }>): void {
    const text = substitute(command, this.#space, this.#find(command.pattern));
    if (text === undefined) return;
    this.#work += text.length / 8;
    this.#space = text;
    this.#replaced = true;
    for (let count = 0; count < command.prints; count++) this.#print();
    if (command.file !== undefined) this.#print(this.#options.write(command.file));
  }
}
