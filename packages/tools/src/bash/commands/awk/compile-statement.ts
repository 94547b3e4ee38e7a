import type { ExpressionCompiler } from "./compile-expression.ts";
import { fillFormat } from "./format.ts";
import type { FunctionEntry } from "./function-entry.ts";
import { PartKeeper } from "./keep-parts.ts";
import type { Loop, Machine } from "./machine.ts";
import { loopKeys } from "./sort-arrays.ts";
import { keptFormat } from "./parse-format.ts";
import type { Label, StepWriter } from "./step-writer.ts";
import type { Output } from "./streams.ts";
import type { Case, Node, Redirection, Statement, UserFunction } from "./syntax.ts";
import { type Cell, compareValues } from "./values.ts";

/** What ends a block before its end. */
type Leaving = Extract<Statement, { kind: "break" | "continue" | "next" | "nextfile" } | { kind: "exit" | "return" }>;
type Of<K extends Statement["kind"]> = Extract<Statement, { kind: K }>;

/** Makes steps of statements. */
export class StatementCompiler {
  readonly #machine: Machine;
  readonly #writer: StepWriter;
  readonly #expressions: ExpressionCompiler;
  readonly #functions: ReadonlyMap<string, FunctionEntry>;
  #parts: PartKeeper;
  /** Where `break` and `continue` lead to, the innermost last. */
  readonly #breaks: Label[] = [];
  readonly #continues: Label[] = [];

  constructor(
    machine: Machine,
    writer: StepWriter,
    expressions: ExpressionCompiler,
    functions: ReadonlyMap<string, FunctionEntry>,
  ) {
    this.#machine = machine;
    this.#writer = writer;
    this.#expressions = expressions;
    this.#functions = functions;
    this.#parts = new PartKeeper(machine, writer, expressions, functions);
  }

  /** How many places the frame of the function has. */
  compileFunction({ parameters, body }: UserFunction): number {
    this.#parts = new PartKeeper(this.#machine, this.#writer, this.#expressions, this.#functions);
    this.#parts.size = parameters.length;
    this.compile(body);
    return this.#parts.size;
  }

  compile(statement: Statement): void {
    switch (statement.kind) {
      case "block":
        for (const each of statement.body) this.compile(each);
        return;
      case "expression":
        this.#expression(statement.node);
        return;
      case "print":
      case "printf":
        this.#print(statement);
        return;
      case "if":
        this.#if(statement);
        return;
      case "while":
        this.#loop({ kind: "for", first: undefined, test: statement.test, step: undefined, body: statement.body });
        return;
      case "for":
        this.#loop(statement);
        return;
      case "do":
        this.#do(statement);
        return;
      case "each":
        this.#each(statement);
        return;
      case "switch":
        this.#switch(statement);
        return;
      case "delete":
        this.#delete(statement);
        return;
      default:
        this.#leave(statement);
    }
  }

  jumpUnless(test: Node, to: Label): void {
    this.#writer.jumpUnless(this.#expressions.compile(this.#parts.keep(test)).truth, to);
  }

  #expression(node: Node): void {
    const kept = this.#parts.keep(node);
    if (kept.kind === "kept") return;
    const { value } = this.#expressions.compile(kept);
    this.#writer.does(value);
  }

  #if({ test, yes, no }: Of<"if">): void {
    const otherwise: Label = { at: 0 };
    this.jumpUnless(test, otherwise);
    this.compile(yes);
    if (!no) {
      this.#writer.place(otherwise);
      return;
    }
    const end: Label = { at: 0 };
    this.#writer.jump(end);
    this.#writer.place(otherwise);
    this.compile(no);
    this.#writer.place(end);
  }

  /** Back to the start of a loop; others get their turn there. */
  #again(to: Label): void {
    const machine = this.#machine;
    this.#writer.step(() => () => machine.goOn(to.at, 4));
  }

  #inside(body: Statement, onBreak: Label, onContinue: Label): void {
    this.#breaks.push(onBreak);
    this.#continues.push(onContinue);
    this.compile(body);
    this.#breaks.pop();
    this.#continues.pop();
  }

  #loop({ first, test, step, body }: Of<"for">): void {
    const start: Label = { at: 0 };
    const next: Label = { at: 0 };
    const end: Label = { at: 0 };
    if (first) this.compile(first);
    this.#writer.place(start);
    if (test) this.jumpUnless(test, end);
    this.#inside(body, end, next);
    this.#writer.place(next);
    if (step) this.compile(step);
    this.#again(start);
    this.#writer.place(end);
  }

  #do({ test, body }: Of<"do">): void {
    const start: Label = { at: 0 };
    const next: Label = { at: 0 };
    const end: Label = { at: 0 };
    this.#writer.place(start);
    this.#inside(body, end, next);
    this.#writer.place(next);
    this.jumpUnless(test, end);
    this.#again(start);
    this.#writer.place(end);
  }

  #each({ target, array, body }: Of<"each">): void {
    const machine = this.#machine;
    const place = this.#parts.newPlace();
    const elements = this.#expressions.places.array(array);
    const { write } = this.#expressions.places.compile(target);
    const start: Label = { at: 0 };
    const end: Label = { at: 0 };
    this.#writer.does(() => {
      const all = elements();
      machine.did(all.size);
      machine.frame[place] = { keys: loopKeys(all, machine.variables), at: 0 };
    });
    this.#writer.place(start);
    this.#writer.step((at) => () => {
      const loop = machine.frame[place] as Loop;
      const key = loop.keys[loop.at++];
      if (key === undefined) return end.at;
      write(key);
      return at + 1;
    });
    this.#inside(body, end, start);
    this.#again(start);
    this.#writer.place(end);
  }

  #switch({ value, cases }: Of<"switch">): void {
    const machine = this.#machine;
    const place = this.#parts.newPlace();
    const { value: given } = this.#expressions.compile(this.#parts.keep(value));
    this.#writer.does(() => void (machine.frame[place] = given()));
    const end: Label = { at: 0 };
    const bodies = cases.map((): Label => ({ at: 0 }));
    for (const [at, one] of cases.entries()) this.#case(one, place, bodies[at] ?? end);
    const other = cases.findIndex((one) => one.value === undefined);
    this.#writer.jump(bodies[other] ?? end);
    this.#breaks.push(end);
    for (const [at, { body }] of cases.entries()) {
      this.#writer.place(bodies[at] ?? end);
      for (const statement of body) this.compile(statement);
    }
    this.#breaks.pop();
    this.#writer.place(end);
  }

  #case({ value }: Case, place: number, to: Label): void {
    if (!value) return;
    const machine = this.#machine;
    const { variables } = machine;
    const kept = (): Cell => machine.frame[place] as Cell;
    if (value.kind === "regex") {
      const matches = this.#expressions.matcher(value);
      this.#writer.jumpUnless(() => !matches(variables.text(kept())), to);
      return;
    }
    const { value: wanted } = this.#expressions.compile(value);
    const isSame = (): boolean => compareValues(kept(), wanted(), variables.numberFormat, variables.ignoreCase) === 0;
    this.#writer.jumpUnless(() => !isSame(), to);
  }

  #delete({ array, keys }: Of<"delete">): void {
    const { places } = this.#expressions;
    if (!keys) {
      const all = places.array(array);
      this.#writer.does(() => all().clear());
      return;
    }
    const kept = this.#parts.keep({ kind: "index", array, keys });
    if (kept.kind !== "index") return;
    const elements = places.array(kept.array);
    const key = places.key(kept.keys);
    this.#writer.does(() => elements().delete(key()));
  }

  #leave(statement: Leaving): void {
    const machine = this.#machine;
    const writer = this.#writer;
    switch (statement.kind) {
      case "break":
      case "continue": {
        const labels = statement.kind === "break" ? this.#breaks : this.#continues;
        const to = labels.at(-1);
        if (to) writer.jump(to);
        return;
      }
      case "next":
      case "nextfile":
        writer.step(() => () => {
          if (statement.kind === "nextfile") machine.input.skipFile();
          machine.leave();
          return machine.onNext;
        });
        return;
      case "return": {
        const node = statement.value && this.#parts.keep(statement.value);
        const value = node ? this.#expressions.compile(node).value : (): Cell => undefined;
        writer.step(() => () => machine.return(value()));
        return;
      }
      case "exit": {
        const node = statement.value && this.#parts.keep(statement.value);
        const code = node && this.#expressions.compile(node).number;
        writer.step(() => () => {
          if (code) machine.exitCode = Math.trunc(code()) & 255;
          machine.leave();
          return machine.onExit;
        });
      }
    }
  }

  #print({ kind, args, to }: Of<"print" | "printf">): void {
    const given = to ? [...args, to.target] : args;
    const kept = this.#parts.keepAll(given);
    const items = kept.slice(0, args.length);
    const text = kind === "print" ? this.#printed(items) : this.#formatted(items);
    const { streams } = this.#machine;
    const target = kept[args.length];
    if (!to || !target) this.#writer.does(() => streams.write(streams.stdout, text()));
    else this.#printTo(text, to, target);
  }

  #printed(items: readonly Node[]): () => string {
    const { variables } = this.#machine;
    const { record } = variables;
    const codes = items.map((item) => this.#expressions.compile(item).printed);
    const [first, ...rest] = codes;
    if (!first) return () => record.text + variables.recordEnd;
    if (rest.length === 0) return () => first() + variables.recordEnd;
    return () => {
      let text = first();
      for (const item of rest) text += variables.outputSeparator + item();
      return text + variables.recordEnd;
    };
  }

  #formatted(items: readonly Node[]): () => string {
    const { variables } = this.#machine;
    const [format, ...rest] = items;
    const { text } = this.#expressions.compile(format ?? { kind: "text", value: "" });
    const values = this.#expressions.values(rest);
    const read = keptFormat();
    return () => {
      const given = read(text());
      return fillFormat(given, values(), { isStrict: true, convert: variables.numberFormat });
    };
  }

  #printTo(text: () => string, { mode }: Redirection, target: Node): void {
    const machine = this.#machine;
    const { streams } = machine;
    const { text: name } = this.#expressions.compile(target);
    this.#writer.step((at) => () => {
      const printed = text();
      const where = name();
      const open = streams.output(mode, where);
      if (open) {
        streams.write(open, printed);
        return at + 1;
      }
      return machine.waitFor(async () => {
        await streams.open(mode, where);
        streams.write(streams.output(mode, where) as Output, printed);
      }, at + 1);
    });
  }
}
