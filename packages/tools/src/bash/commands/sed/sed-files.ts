import type { CommandContext } from "../../shell-command.ts";
import { readInput } from "../read-inputs.ts";
import { SedOutput } from "./sed-output.ts";
import type { SedProgram } from "./sed-program.ts";

/** What a script reads and writes beside its input, and what it prints. */
export class SedFiles {
  readonly #context: CommandContext;
  readonly #end: string;
  readonly #outputs = new Map<string, { readonly output: SedOutput; readonly parts: Uint8Array[] }>();

  constructor(context: CommandContext, end: string) {
    this.#context = context;
    this.#end = end;
  }

  /** Of what `w` names, or of `/dev/stdout`. */
  output(name: string): SedOutput {
    const known = this.#outputs.get(name);
    if (known) return known.output;
    const output = new SedOutput(this.#end);
    this.#outputs.set(name, { output, parts: [] });
    return output;
  }

  /** Contents of what the program's `r` and `R` name. Files of `w` are there from now on, if with nothing in them. */
  async read({ commands }: SedProgram, decode: (bytes: Uint8Array) => string): Promise<Map<string, string>> {
    const contents = new Map<string, string>();
    for (const command of commands) {
      if (command.name === "w" || command.name === "W") this.output(command.file);
      if (command.name === "s" && command.file !== undefined) this.output(command.file);
      if (command.name !== "r" && command.name !== "R") continue;
      const { bytes } = await readInput(command.file, this.#context);
      if (bytes) contents.set(command.file, decode(bytes));
    }
    return contents;
  }

  /** Keeps what was printed so far as bytes: what comes may have another encoding. */
  keep(encode: (text: string) => Uint8Array): void {
    for (const { output, parts } of this.#outputs.values()) parts.push(encode(output.take()));
  }

  async write(): Promise<void> {
    const { fs, resolve } = this.#context;
    for (const [name, { parts }] of this.#outputs)
      if (!isStandard(name)) await fs.writeFile(resolve(name), joined(parts));
  }

  stdout(): Uint8Array {
    return joined(this.#outputs.get("/dev/stdout")?.parts ?? []);
  }

  stderr(): string {
    return new TextDecoder().decode(joined(this.#outputs.get("/dev/stderr")?.parts ?? []));
  }
}

function isStandard(name: string): boolean {
  return name === "/dev/stdout" || name === "/dev/stderr";
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
