import { TenrecError } from "@tenrec/protocol";
import type { CommandContext, CommandOutput, ShellCommand } from "../../shell-command.ts";
import { decodeBytes, fromLatin1, latin1 } from "../../encoding.ts";
import { problemOf } from "../../problem-of.ts";
import { type OptionSpec, type ParsedOptions, parseOptions, UsageError } from "../parse-options.ts";
import { breathe } from "../pieces.ts";
import { readInput, readInputs } from "../read-inputs.ts";
import { parseScript } from "./parse-script.ts";
import { SedError, type SedProgram } from "./sed-program.ts";
import { SedFiles } from "./sed-files.ts";
import { SedInput } from "./sed-input.ts";
import { SedMachine } from "./sed-machine.ts";
import { SedOutput } from "./sed-output.ts";

const OPTIONS: OptionSpec = {
  short: "nEre:f:i::sul:z",
  long: {
    quiet: "n",
    silent: "n",
    "regexp-extended": "E",
    "expression=": "e",
    "file=": "f",
    "in-place?": "i",
    separate: "s",
    unbuffered: "u",
    "line-length=": "l",
    "null-data": "z",
    posix: "posix",
    sandbox: "sandbox",
    "follow-symlinks": "follow-symlinks",
    version: "version",
  },
};

/** In place of just-bash's, which knows half of it, and takes what it does not know for something else. */
export const sed: ShellCommand = {
  name: "sed",
  async run(args, context) {
    try {
      const options = parseOptions(args, OPTIONS);
      if (options.has("version")) return { stdout: "sed (GNU sed) 4.9\n" };
      return await runSed(options, context);
    } catch (error) {
      if (error instanceof TenrecError && error.code === "EINVAL")
        return { stderr: `sed: ${reasonOf(error)}\n`, exitCode: 1 };
      if (!(error instanceof SedError || error instanceof UsageError)) throw error;
      return { stderr: `sed: ${error.message}\n`, exitCode: error instanceof SedError ? error.code : 1 };
    }
  },
};

/** Of a pattern that cannot be used. */
function reasonOf({ data }: TenrecError): string {
  const { path = "", reason = "" } = data as { readonly path?: string; readonly reason?: string };
  return `the pattern ${path}: ${reason}`;
}

async function runSed(options: ParsedOptions, context: CommandContext): Promise<CommandOutput> {
  const { script, operands } = await scriptOf(options, context);
  // Beforehand: what is wrong with it is said though no file is there.
  const program = parseScript(script, options.has("E", "r"));
  const run = new SedRun(options, script, program, context);
  if (options.has("i")) await run.inPlace(operands);
  else await run.stream(operands);
  return run.result();
}

async function scriptOf(
  options: ParsedOptions,
  context: CommandContext,
): Promise<{ readonly script: string; readonly operands: readonly string[] }> {
  const parts: string[] = [];
  for (const [name, value] of options.given) {
    if (name === "e") parts.push(value);
    if (name !== "f") continue;
    const { bytes, problem } = await readInput(value, context);
    if (!bytes) throw new SedError(`couldn't open file ${value}: ${problem}`, 4);
    parts.push(new TextDecoder().decode(bytes).replace(/\n$/, ""));
  }
  if (parts.length > 0) return { script: parts.join("\n"), operands: options.operands };
  const [script, ...operands] = options.operands;
  if (script === undefined) throw new SedError("no script; call it as sed [OPTION]... SCRIPT [FILE]...");
  return { script, operands };
}

/** Most characters that it prints, or writes to a file. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

class SedRun {
  readonly #options: ParsedOptions;
  readonly #script: string;
  readonly #program: SedProgram;
  readonly #context: CommandContext;
  readonly #files: SedFiles;
  #stderr = "";
  #code = 0;
  #isOver = false;

  constructor(options: ParsedOptions, script: string, program: SedProgram, context: CommandContext) {
    this.#options = options;
    this.#script = script;
    this.#program = program;
    this.#context = context;
    this.#files = new SedFiles(context, this.#end);
  }

  get #end(): string {
    return this.#options.has("z") ? "\0" : "\n";
  }

  async stream(operands: readonly string[]): Promise<void> {
    const inputs = await readInputs(operands, this.#context);
    const files: { name: string; bytes: Uint8Array }[] = [];
    for (const { name, bytes, problem } of inputs) {
      if (bytes) files.push({ name, bytes });
      else if (problem !== "Is a directory") this.#fail(`can't read ${name}: ${problem}`, 2);
      else {
        this.#fail(`read error on ${name}: ${problem}`, 4);
        break;
      }
    }
    const parts = this.#options.has("s") ? files.map((file) => [file]) : [files];
    for (const part of parts) if (!this.#isOver) await this.#run(part);
  }

  async inPlace(operands: readonly string[]): Promise<void> {
    const { fs, resolve } = this.#context;
    if (operands.length === 0) throw new SedError("no input files");
    for (const name of operands) {
      if (this.#isOver) return;
      const path = resolve(name);
      try {
        const { isFile } = await fs.stat(path);
        if (!isFile) {
          this.#fail(`couldn't edit ${name}: not a regular file`, 4);
          return;
        }
        const bytes = await fs.readFileBuffer(path);
        const edited = await this.#run([{ name, bytes }], new SedOutput(this.#end));
        const suffix = this.#options.value("i") ?? "";
        if (suffix !== "") await fs.writeFile(backupOf(path, suffix), bytes);
        if (!isSame(edited, bytes)) await fs.writeFile(path, edited);
      } catch (error) {
        if (error instanceof SedError) throw error;
        const problem = problemOf(error);
        if (problem === "No such file or directory") this.#fail(`can't read ${name}: ${problem}`, 2);
        else throw error;
      }
    }
  }

  async result(): Promise<CommandOutput> {
    await this.#files.write();
    return { stdout: this.#files.stdout(), stderr: this.#stderr + this.#files.stderr(), exitCode: this.#code };
  }

  #fail(text: string, code: number): void {
    this.#stderr += `sed: ${text}\n`;
    this.#code = Math.max(this.#code, code);
  }

  /** Works through the files as one; what goes to `output` is the result. */
  async #run(
    files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
    output?: SedOutput,
  ): Promise<Uint8Array> {
    const encoding = encodingOf(files.map(({ bytes }) => bytes));
    const script = encoding.isText ? this.#script : latin1(new TextEncoder().encode(this.#script));
    const program = encoding.isText ? this.#program : parseScript(script, this.#options.has("E", "r"));
    const input = new SedInput(
      files.map(({ name, bytes }) => ({ name, text: encoding.decode(bytes) })),
      this.#end,
    );
    const contents = await this.#files.read(program, encoding.decode);
    const stdout = output ?? this.#files.output("/dev/stdout");
    const machine = new SedMachine(program, input, stdout, {
      isQuiet: this.#options.has("n") || program.isQuiet,
      end: this.#end,
      width: Number(this.#options.value("l") ?? 70),
      read: (file) => contents.get(file),
      write: (file) => this.#files.output(file),
    });
    while (!machine.run()) {
      await breathe(this.#context.signal);
      if (stdout.length > MOST_CHARACTERS) throw new SedError("more than the 32 MiB that are possible here");
    }
    if (machine.hasQuit) {
      this.#isOver = true;
      this.#code = machine.code;
    }
    this.#files.keep(encoding.encode);
    return encoding.encode(output?.take() ?? "");
  }
}

interface Encoding {
  readonly isText: boolean;
  readonly decode: (bytes: Uint8Array) => string;
  readonly encode: (text: string) => Uint8Array;
}

/** UTF-8 where all is that, else a character for each byte, so that none is lost. */
function encodingOf(contents: readonly Uint8Array[]): Encoding {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    for (const bytes of contents) decoder.decode(bytes);
  } catch {
    return { isText: false, decode: latin1, encode: fromLatin1 };
  }
  return {
    isText: true,
    decode: (bytes) => decodeBytes(bytes, "utf8"),
    encode: (text) => new TextEncoder().encode(text),
  };
}

function backupOf(path: string, suffix: string): string {
  const slash = path.lastIndexOf("/") + 1;
  const name = path.slice(slash);
  return path.slice(0, slash) + (suffix.includes("*") ? suffix.replaceAll("*", () => name) : name + suffix);
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, at) => byte === right[at]);
}
