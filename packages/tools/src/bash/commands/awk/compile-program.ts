import { ExpressionCompiler } from "./compile-expression.ts";
import { StatementCompiler } from "./compile-statement.ts";
import type { FunctionEntry } from "./function-entry.ts";
import { DONE, type Machine } from "./machine.ts";
import type { Label } from "./step-writer.ts";
import { StepWriter } from "./step-writer.ts";
import type { Pattern, Program, Rule, Statement } from "./syntax.ts";

/** Writes the steps of a program into a machine. */
export function compileProgram(program: Program, machine: Machine): void {
  new ProgramCompiler(program, machine).compile();
}

class ProgramCompiler {
  readonly #program: Program;
  readonly #machine: Machine;
  readonly #writer: StepWriter;
  readonly #functions = new Map<string, FunctionEntry>();
  readonly #statements: StatementCompiler;
  readonly #expressions: ExpressionCompiler;

  constructor(program: Program, machine: Machine) {
    this.#program = program;
    this.#machine = machine;
    this.#writer = new StepWriter(machine.steps);
    for (const [name, definition] of program.functions)
      this.#functions.set(name, { definition, entry: { at: 0 }, size: 0 });
    this.#expressions = new ExpressionCompiler(machine);
    this.#statements = new StatementCompiler(machine, this.#writer, this.#expressions, this.#functions);
  }

  compile(): void {
    const { begin, end, rules, beginFile, endFile } = this.#program;
    const writer = this.#writer;
    const machine = this.#machine;
    const atEnd: Label = { at: 0 };
    const atStop: Label = { at: 0 };
    writer.does(() => void (machine.onExit = atEnd.at));
    for (const block of begin) this.#statements.compile(block);
    if (rules.length + end.length + beginFile.length + endFile.length > 0) this.#records(atEnd);
    writer.place(atEnd);
    writer.does(() => void (machine.onExit = atStop.at));
    for (const block of end) this.#statements.compile(block);
    writer.place(atStop);
    writer.step(() => () => DONE);
    for (const entry of this.#functions.values()) this.#function(entry);
  }

  #records(atEnd: Label): void {
    const writer = this.#writer;
    const machine = this.#machine;
    const { input, variables } = machine;
    const { rules, beginFile, endFile } = this.#program;
    const next: Label = { at: 0 };
    const atBegin: Label = { at: 0 };
    const atFileEnd: Label = { at: 0 };
    const first: Label = { at: 0 };
    writer.place(next);
    writer.does(() => void (machine.onNext = next.at));
    writer.step(() => () => {
      switch (input.next()) {
        case "record":
          variables.record.text = input.record;
          machine.hasRead();
          return machine.goOn(first.at, 20 + (input.record.length >> 3));
        case "file-begins":
          return atBegin.at;
        case "file-ends":
          return atFileEnd.at;
        case "end":
          return atEnd.at;
        default:
          return machine.waitFor(() => input.open(), next.at);
      }
    });
    writer.place(atBegin);
    this.#blocks(beginFile);
    writer.jump(next);
    writer.place(atFileEnd);
    this.#blocks(endFile);
    writer.jump(next);
    writer.place(first);
    for (const rule of rules) this.#rule(rule);
    writer.jump(next);
  }

  #blocks(blocks: readonly Statement[]): void {
    for (const block of blocks) this.#statements.compile(block);
  }

  #rule({ pattern, body }: Rule): void {
    const behind: Label = { at: 0 };
    this.#pattern(pattern, behind);
    this.#statements.compile(body ?? { kind: "print", args: [], to: undefined });
    this.#writer.place(behind);
  }

  /** Goes to `behind` where the record is not one of the pattern's. */
  #pattern(pattern: Pattern, behind: Label): void {
    if (pattern.kind === "always") return;
    const statements = this.#statements;
    if (pattern.kind === "test") {
      statements.jumpUnless(pattern.test, behind);
      return;
    }
    const writer = this.#writer;
    const isInside: Label = { at: 0 };
    const body: Label = { at: 0 };
    let isOpen = false;
    writer.step((at) => () => (isOpen ? isInside.at : at + 1));
    statements.jumpUnless(pattern.from, behind);
    writer.does(() => void (isOpen = true));
    writer.place(isInside);
    statements.jumpUnless(pattern.to, body);
    writer.does(() => void (isOpen = false));
    writer.place(body);
  }

  #function(entry: FunctionEntry): void {
    const { definition } = entry;
    this.#writer.place(entry.entry);
    entry.size = this.#statements.compileFunction(definition);
    const machine = this.#machine;
    this.#writer.step(() => () => machine.return(undefined));
  }
}
