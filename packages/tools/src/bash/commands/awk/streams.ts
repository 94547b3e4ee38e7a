import type { CommandContext } from "../../shell-command.ts";
import { problemOf } from "../../problem-of.ts";
import { AwkError } from "./awk-error.ts";
import { bytesOfText, textOfBytes } from "./byte-text.ts";
import { RecordReader } from "./record-reader.ts";
import type { Regexes } from "./regex/regex.ts";

/** Most characters that it prints, or writes to files, in all. */
const MOST_CHARACTERS = 32 * 1024 * 1024;
/** What a program prints is out in pieces of this size. */
const HELD = 4096;
/** Most files and commands that are open. */
const MOST_OPEN = 20_000;

export interface Output {
  readonly kind: "stdout" | "stderr" | "file" | "command";
  readonly name: string;
  parts: string[];
  /** What a file had is kept in front of it. */
  appends: boolean;
}

interface OpenInput {
  readonly reader: RecordReader;
  /** Of a command. */
  readonly exitCode: number;
}

/** The files and commands that a program reads and writes beside its input. */
export class Streams {
  readonly stdout: Output = { kind: "stdout", name: "/dev/stdout", parts: [], appends: false };
  readonly #stderr: Output = { kind: "stderr", name: "/dev/stderr", parts: [], appends: false };
  readonly #context: CommandContext;
  readonly #regexes: Regexes;
  readonly #outputs = new Map<string, Output>();
  readonly #inputs = new Map<string, OpenInput>();
  /** Of standard output, what is not out yet: what a command prints comes before it. */
  #held: string[] = [];
  #heldLength = 0;
  /** The file that gets what is printed, while it is rewritten. */
  #rewritten: { readonly name: string; readonly parts: string[] } | undefined;
  #characters = 0;
  #isStdinRead = false;

  constructor(context: CommandContext, regexes: Regexes) {
    this.#context = context;
    this.#regexes = regexes;
  }

  write(output: Output, text: string): void {
    this.#characters += text.length;
    if (this.#characters > MOST_CHARACTERS)
      throw new AwkError("limit exceeded: it prints more than the 32 MiB that are possible here");
    if (output === this.stdout) {
      this.#print(text);
      return;
    }
    output.parts.push(text);
    // Many small ones would take more than their text.
    if (output.parts.length > 5000) output.parts = [output.parts.join("")];
  }

  #print(text: string): void {
    if (this.#rewritten) {
      this.#rewritten.parts.push(text);
      return;
    }
    if (this.#heldLength + text.length > HELD) this.#release();
    this.#held.push(text);
    this.#heldLength += text.length;
  }

  /** What was printed is out. */
  #release(): void {
    if (this.#held.length > 0) this.stdout.parts.push(this.#held.join(""));
    this.#held = [];
    this.#heldLength = 0;
  }

  /** What is printed from now on is for this file, which is written by `finishRewriting`. */
  beginRewriting(name: string): void {
    this.#rewritten = { name, parts: [] };
  }

  /** What is printed from now on is not for the file any more. The action writes it. */
  endRewriting(suffix: string): (() => Promise<void>) | undefined {
    const { name, parts } = this.#rewritten ?? {};
    this.#rewritten = undefined;
    if (name === undefined || !parts) return undefined;
    return async () => {
      const { fs, resolve } = this.#context;
      const path = resolve(name);
      try {
        if (suffix !== "") await fs.writeFile(path + suffix, await fs.readFileBuffer(path));
        await fs.writeFile(path, bytesOfText(parts.join("")));
      } catch (error) {
        throw new AwkError(`fatal: cannot write to \`${name}': ${problemOf(error)}`);
      }
    };
  }

  warn(text: string): void {
    this.write(this.#stderr, text);
  }

  /** Says it even where no more may be printed. */
  fail(text: string): void {
    this.#stderr.parts.push(text);
  }

  /** An output that is open already, or needs no opening. */
  output(mode: string, name: string): Output | undefined {
    if (mode === "|") return this.#outputs.get(`|${name}`);
    if (name === "/dev/stdout" || name === "-" || name === "/dev/fd/1") return this.stdout;
    if (name === "/dev/stderr" || name === "/dev/fd/2") return this.#stderr;
    return this.#outputs.get(`>${name}`);
  }

  async open(mode: string, name: string): Promise<void> {
    checkNamed(mode, name);
    if (/^\/(?:inet\d?|dev\/fd)\//.test(name)) throw new AwkError(`fatal: ${name} is not supported; write to a file`);
    if (this.#outputs.size >= MOST_OPEN)
      throw new AwkError(`limit exceeded: more than the ${MOST_OPEN} open files that are possible here; close() them`);
    if (mode === "|") {
      await this.flush();
      this.#outputs.set(`|${name}`, { kind: "command", name, parts: [], appends: false });
      return;
    }
    const { fs, resolve } = this.#context;
    try {
      // At once, so that it is there, and empty, whatever comes.
      if (mode === ">") await fs.writeFile(resolve(name), "");
      else await fs.appendFile(resolve(name), "");
    } catch (error) {
      throw new AwkError(`fatal: cannot redirect to \`${name}': ${problemOf(error)}`);
    }
    this.#outputs.set(`>${name}`, { kind: "file", name, parts: [], appends: mode === ">>" });
  }

  /** The records of a file; a problem where it cannot be read. */
  async openFile(name: string): Promise<RecordReader | string> {
    checkNamed("<", name);
    const known = this.#inputs.get(`<${name}`);
    if (known) return known.reader;
    await this.flush();
    const read = await this.readFile(name);
    if (read.problem !== undefined) return read.problem;
    return this.#addInput(`<${name}`, read.text ?? "", 0);
  }

  /** An input that is open already. */
  input(from: "file" | "command", name: string): RecordReader | undefined {
    return this.#inputs.get((from === "file" ? "<" : "|") + name)?.reader;
  }

  async readFile(name: string): Promise<{ readonly text?: string; readonly problem?: string }> {
    const { fs, resolve, stdin } = this.#context;
    if (name === "-" || name === "/dev/stdin") {
      const text = this.#isStdinRead ? "" : textOfBytes(stdin.bytes());
      this.#isStdinRead = true;
      return { text };
    }
    try {
      return { text: textOfBytes(await fs.readFileBuffer(resolve(name))) };
    } catch (error) {
      return { problem: problemOf(error) };
    }
  }

  async openCommand(command: string): Promise<RecordReader> {
    checkNamed("|", command);
    const known = this.#inputs.get(`|${command}`);
    if (known) return known.reader;
    await this.flush();
    const { text, exitCode } = await this.#run(command, "");
    return this.#addInput(`|${command}`, text, exitCode);
  }

  #addInput(key: string, text: string, exitCode: number): RecordReader {
    if (this.#inputs.size >= MOST_OPEN)
      throw new AwkError(`limit exceeded: more than the ${MOST_OPEN} open files that are possible here; close() them`);
    const reader = new RecordReader(text, this.#regexes);
    this.#inputs.set(key, { reader, exitCode });
    return reader;
  }

  /** Runs a command, which prints where this one does, and gives its exit code. */
  async system(command: string): Promise<number> {
    await this.flush();
    const { text, exitCode } = await this.#run(command, "");
    this.#printOfCommand(text);
    return exitCode;
  }

  /** What was written so far is there for it. */
  async #run(command: string, input: string): Promise<{ readonly text: string; readonly exitCode: number }> {
    await this.#flushFiles();
    const {
      stdout = "",
      stderr = "",
      exitCode = 0,
    } = await this.#context.exec(["sh", "-c", command], bytesOfText(input));
    this.write(this.#stderr, stderr);
    return { text: typeof stdout === "string" ? stdout : textOfBytes(stdout), exitCode };
  }

  /** Closes all of this name; -1 where there is nothing, else what its command or file ended with. */
  async close(name: string): Promise<number> {
    await this.flush();
    let code = -1;
    for (const kind of ["<", "|"]) {
      const input = this.#inputs.get(kind + name);
      if (input) code = input.exitCode;
      this.#inputs.delete(kind + name);
    }
    for (const kind of [">", "|"]) {
      const output = this.#outputs.get(kind + name);
      if (output) code = await this.#end(kind + name, output);
    }
    return code;
  }

  async #end(key: string, output: Output): Promise<number> {
    this.#outputs.delete(key);
    if (output.kind !== "command") {
      await this.#flushFile(output);
      return 0;
    }
    const { text, exitCode } = await this.#run(output.name, output.parts.join(""));
    this.#printOfCommand(text);
    return exitCode;
  }

  /** Whatever is printed to, a command has the standard output that awk was given. */
  #printOfCommand(text: string): void {
    this.#characters += text.length;
    this.stdout.parts.push(text);
  }

  /** Writes files as they are now. */
  async flush(): Promise<void> {
    this.#release();
    await this.#flushFiles();
  }

  async #flushFiles(): Promise<void> {
    for (const output of this.#outputs.values()) if (output.kind === "file") await this.#flushFile(output);
  }

  async #flushFile(output: Output): Promise<void> {
    if (output.parts.length === 0) return;
    const { fs, resolve } = this.#context;
    const bytes = bytesOfText(output.parts.splice(0).join(""));
    try {
      if (output.appends) await fs.appendFile(resolve(output.name), bytes);
      else await fs.writeFile(resolve(output.name), bytes);
    } catch (error) {
      throw new AwkError(`fatal: cannot write to \`${output.name}': ${problemOf(error)}`);
    }
    output.appends = true;
  }

  /** At the end: files are written, and commands get what was printed to them. */
  async finish(): Promise<void> {
    const commands: (readonly [string, Output])[] = [];
    for (const [key, output] of this.#outputs)
      if (output.kind === "command") commands.push([key, output]);
      else await this.#end(key, output);
    for (const [key, output] of commands) await this.#end(key, output);
  }

  printed(): { readonly stdout: string | Uint8Array; readonly stderr: string } {
    this.#release();
    const text = this.stdout.parts.join("");
    const stderr = this.#stderr.parts.join("");
    return { stdout: text.isWellFormed() ? text : bytesOfText(text), stderr: stderr.toWellFormed() };
  }
}

function checkNamed(mode: string, name: string): void {
  if (name === "") throw new AwkError(`fatal: expression for \`${mode}' redirection has null string value`);
}
