import type { ShellCommand } from "../shell-command.ts";
import { defineCommand } from "./define-command.ts";
import { fromLatin1, latin1 } from "../encoding.ts";
import { type ParsedOptions, UsageError } from "./parse-options.ts";
import { linesOf, piecesOf } from "./pieces.ts";
import { readInputs } from "./read-inputs.ts";

const LONG = {
  count: "c",
  repeated: "d",
  "all-repeated?": "D",
  unique: "u",
  "ignore-case": "i",
  "skip-fields=": "f",
  "skip-chars=": "s",
  "check-chars=": "w",
  "zero-terminated": "z",
};

/** In place of just-bash's, whose counts are in a narrower column, and which does not let go of the event loop. */
export const uniq: ShellCommand = defineCommand(
  "uniq",
  { short: "cdDuif:s:w:z", long: LONG },
  async (options, context) => {
    const [source, target] = options.operands;
    const [input] = await readInputs(source === undefined ? [] : [source], context);
    if (input?.bytes === undefined) return { stderr: `uniq: ${input?.name}: ${input?.problem}\n`, exitCode: 1 };
    const end = options.has("z") ? "\0" : "\n";
    const groups = new Groups(options, end);
    for await (const piece of piecesOf(latin1(input.bytes), context.signal, end)) {
      for (const line of linesOf(piece, end)) groups.add(line);
    }
    const stdout = fromLatin1(groups.finish());
    if (target === undefined || target === "-") return { stdout };
    await context.fs.writeFile(context.resolve(target), stdout);
    return {};
  },
);

/** Lines that are alike and follow each other. */
class Groups {
  readonly #options: ParsedOptions;
  readonly #end: string;
  readonly #keyOf: (line: string) => string;
  #first: string | undefined;
  #key = "";
  #count = 0;
  #all: string[] = [];
  #printed = "";

  constructor(options: ParsedOptions, end: string) {
    this.#options = options;
    this.#end = end;
    this.#keyOf = keyOf(options);
  }

  add(line: string): void {
    const key = this.#keyOf(line);
    if (this.#first === undefined || key !== this.#key) {
      this.#print();
      this.#first = line;
      this.#key = key;
      this.#count = 0;
      this.#all = [];
    }
    this.#count += 1;
    if (this.#options.has("D")) this.#all.push(line);
  }

  finish(): string {
    this.#print();
    return this.#printed;
  }

  #print(): void {
    if (this.#first === undefined) return;
    const options = this.#options;
    const isRepeated = this.#count > 1;
    if (options.has("D")) {
      if (!isRepeated) return;
      const way = options.value("D") ?? "";
      if (way === "prepend" || (way === "separate" && this.#printed !== "")) this.#printed += this.#end;
      this.#printed += this.#all.map((line) => line + this.#end).join("");
      return;
    }
    if ((options.has("d") && !isRepeated) || (options.has("u") && isRepeated)) return;
    const count = options.has("c") ? `${String(this.#count).padStart(7)} ` : "";
    this.#printed += count + this.#first + this.#end;
  }
}

function keyOf(options: ParsedOptions): (line: string) => string {
  const [fields, chars, width] = ["f", "s", "w"].map((name) => countOf(options.value(name))) as [Count, Count, Count];
  const isFolded = options.has("i");
  if (fields === undefined && chars === undefined && width === undefined)
    return isFolded ? (line) => line.toLowerCase() : (line) => line;
  return (line) => {
    let at = 0;
    for (let field = 0; field < (fields ?? 0); field++) at += /^[ \t]*[^ \t]*/.exec(line.slice(at))?.[0].length ?? 0;
    const start = at + (chars ?? 0);
    const key = line.slice(start, width === undefined ? undefined : start + width);
    return isFolded ? key.toLowerCase() : key;
  };
}

type Count = number | undefined;

function countOf(text: string | undefined): Count {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new UsageError(`${text}: invalid number of fields to skip`);
  return Number(text);
}
