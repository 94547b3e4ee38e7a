import type { CommandContext, CommandOutput, ShellCommand } from "../../shell-command.ts";
import { breathe } from "../pieces.ts";
import { readInput } from "../read-inputs.ts";
import { AwkError } from "./awk-error.ts";
import { type AwkCall, parseCall } from "./awk-options.ts";
import { textOfBytes, withEscapes } from "./byte-text.ts";
import { compileProgram } from "./compile-program.ts";
import { DONE, Machine, WAIT } from "./machine.ts";
import { MainInput } from "./main-input.ts";
import { parseProgram } from "./parse-program.ts";
import { Random } from "./random.ts";
import { Streams } from "./streams.ts";
import type { Program } from "./syntax.ts";
import { UserText } from "./values.ts";
import { Variables } from "./variables.ts";

async function run(name: string, args: readonly string[], context: CommandContext): Promise<CommandOutput> {
  try {
    const call = parseCall(args);
    if (call.asksVersion) return { stdout: "GNU Awk 5.2.1, as far as it is here\n" };
    const program = parseProgram(await sourceOf(call, context));
    return await new AwkRun(name, call, program, context).result();
  } catch (error) {
    const own = ownError(error);
    if (!own) throw error;
    return { stderr: `${name}: ${own.message}\n`, exitCode: own.code };
  }
}

/** What is awk's to tell; undefined for all else. */
function ownError(error: unknown): AwkError | undefined {
  if (error instanceof AwkError) return error;
  const isDeep = error instanceof RangeError && /call stack/i.test(error.message);
  return isDeep ? new AwkError("an expression of the program is nested too deep") : undefined;
}

async function sourceOf({ sources }: AwkCall, context: CommandContext): Promise<string> {
  const parts: string[] = [];
  for (const { kind, value } of sources) {
    if (kind === "text") {
      parts.push(value);
      continue;
    }
    const { bytes, problem } = await readInput(value, context);
    if (!bytes) throw new AwkError(`fatal: cannot open source file \`${value}' for reading: ${problem}`);
    parts.push(textOfBytes(bytes));
  }
  return parts.join("\n");
}

/** One call of awk. */
class AwkRun {
  readonly #name: string;
  readonly #context: CommandContext;
  readonly #streams: Streams;
  readonly #machine: Machine;

  constructor(name: string, call: AwkCall, program: Program, context: CommandContext) {
    this.#name = name;
    this.#context = context;
    const variables = new Variables(program.globals.values());
    this.#streams = new Streams(context, variables.regexes);
    for (const warning of program.warnings) this.#warn(warning);
    const tellsFiles = program.beginFile.length + program.endFile.length > 0;
    const input = new MainInput(variables, this.#streams, { tellsFiles, rewrites: call.inPlace });
    // The time is that of the system, as for each program in a shell.
    this.#machine = new Machine(variables, this.#streams, input, new Random(), () => Date.now());
    this.#setVariables(call, program);
    compileProgram(program, this.#machine);
  }

  #warn(message: string): void {
    this.#streams.warn(`${this.#name}: ${message}\n`);
  }

  #setVariables({ assignments, fieldSeparator, operands }: AwkCall, program: Program): void {
    const { variables } = this.#machine;
    const escaped = (text: string): UserText => new UserText(withEscapes(text, (message) => this.#warn(message)));
    const environment = variables.array("ENVIRON");
    for (const [key, value] of Object.entries(this.#context.exported)) environment.set(key, new UserText(value));
    const args = variables.array("ARGV");
    for (const [at, arg] of ["awk", ...operands].entries()) args.set(`${at}`, new UserText(arg));
    variables.set("ARGC", operands.length + 1);
    const settings = variables.array("PROCINFO");
    settings.set("version", "5.2.1");
    settings.set("strftime", "%a %b %e %H:%M:%S %Z %Y");
    if (fieldSeparator !== undefined) variables.set("FS", escaped(fieldSeparator));
    for (const assignment of assignments) {
      const [, variable, value = ""] = /^([A-Za-z_]\w*(?:::\w+)?)=(.*)$/s.exec(assignment) ?? [];
      if (variable === undefined)
        throw new AwkError(`fatal: \`${assignment}' argument to \`-v' not in \`var=value' form`);
      if (program.functions.has(variable) || program.globals.get(variable)?.isArray)
        throw new AwkError(`fatal: cannot assign to ${variable} with -v: it is an array or a function`);
      variables.set(variable, escaped(value));
    }
  }

  async result(): Promise<CommandOutput> {
    const machine = this.#machine;
    let exitCode = 0;
    try {
      await this.#run();
      exitCode = machine.exitCode;
    } catch (error) {
      const own = ownError(error);
      if (!own) throw error;
      this.#streams.fail(`${this.#name}: ${own.message}\n`);
      exitCode = own.code;
    }
    // What was printed before an error counts.
    try {
      await machine.input.finish();
      await this.#streams.finish();
    } catch (error) {
      if (!(error instanceof AwkError)) throw error;
      this.#streams.fail(`${this.#name}: ${error.message}\n`);
      exitCode = error.code;
    }
    return { ...this.#streams.printed(), exitCode };
  }

  async #run(): Promise<void> {
    const machine = this.#machine;
    for (;;) {
      const why = machine.run();
      if (why === DONE) return;
      if (why === WAIT) await machine.wait?.();
      else await breathe(this.#context.signal);
    }
  }
}

/** Whether the program of these arguments is known, and runs no others and asks for nothing of the shell. */
function isAlone(args: readonly (string | undefined)[]): boolean {
  try {
    const { sources } = parseCall(args.map((arg) => arg ?? ""));
    const [only] = sources;
    if (args.includes(undefined) || sources.length !== 1 || only?.kind !== "text") return false;
    return !parseProgram(only.value).callsOthers;
  } catch (error) {
    if (error instanceof AwkError) return true;
    throw error;
  }
}

/** The second one is for programs that run others, which takes a shell around it. */
function awkNamed(name: string): ShellCommand[] {
  const command = { name, run: (args: readonly string[], context: CommandContext) => run(name, args, context) };
  return [
    { ...command, takes: isAlone },
    { ...command, callsOthers: true },
  ];
}

/** In place of just-bash's, which is silently wrong in much of the language. */
export const AWK_COMMANDS: readonly ShellCommand[] = [...awkNamed("awk"), ...awkNamed("gawk")];
