/** An option of a command line. Its value is a part of it (`-A5`, `--sort=path`) or, when it must have one, the next word. */
export interface OptionSpec {
  readonly name: string;
  readonly short: string | undefined;
  readonly value: "none" | "needed" | "optional";
}

/** Specifications from their names as a manual writes them: `-A --after-context=`, `--color=?`, `-i --ignore-case`. */
export function optionSpecs(text: string): OptionSpec[] {
  return text
    .trim()
    .split(/\s*\n\s*|\s*;\s*/)
    .map((line) => {
      const [, short, name = "", sign] = /^(?:-(\S) )?--([\w-]+)(=\??)?$/.exec(line) ?? [];
      return { name, short, value: sign === "=" ? "needed" : sign === "=?" ? "optional" : "none" };
    });
}

export interface OptionProblem {
  readonly problem: "unknown" | "missing" | "unwanted" | "ambiguous";
  /** As it was typed, without a value. */
  readonly option: string;
}

interface Given {
  readonly name: string;
  readonly value: string;
  /** As it was typed, without a value. */
  readonly typed: string;
}

/** The options of a command line in their order. */
export class Options {
  readonly operands: string[] = [];
  readonly #given: Given[] = [];

  add(given: Given): void {
    this.#given.push(given);
  }

  has(...names: readonly string[]): boolean {
    return this.#given.some(({ name }) => names.includes(name));
  }

  count(name: string): number {
    return this.#given.filter((given) => given.name === name).length;
  }

  /** The one of these that was given last: of opposites it is the one that counts. */
  last(...names: readonly string[]): Given | undefined {
    return this.#given.findLast(({ name }) => names.includes(name));
  }

  /** Whether `on` was given behind all of the others. */
  isOn(on: string, ...off: readonly string[]): boolean {
    return this.last(on, ...off)?.name === on;
  }

  values(...names: readonly string[]): string[] {
    return this.#given.flatMap(({ name, value }) => (names.includes(name) ? [value] : []));
  }

  /** In the order in which they were given. */
  all(...names: readonly string[]): readonly Given[] {
    return this.#given.filter(({ name }) => names.includes(name));
  }
}

export interface OptionSyntax {
  readonly specs: readonly OptionSpec[];
  /** A long name may be cut where that leaves it unique. */
  readonly abbreviations: boolean;
  /** The option that `-5` stands for. */
  readonly number?: string;
}

/** Reads the words of a command line, operands between options too. */
export function readOptions(args: readonly string[], syntax: OptionSyntax): Options | OptionProblem {
  const options = new Options();
  const pending = [...args];
  for (let arg = pending.shift(); arg !== undefined; arg = pending.shift()) {
    if (arg === "--") options.operands.push(...pending.splice(0));
    else if (!arg.startsWith("-") || arg === "-") options.operands.push(arg);
    else {
      const problem = arg.startsWith("--")
        ? readLong(arg, pending, syntax, options)
        : readShort(arg, pending, syntax, options);
      if (problem) return problem;
    }
  }
  return options;
}

function readLong(arg: string, pending: string[], syntax: OptionSyntax, options: Options): OptionProblem | undefined {
  const [, typed = "", given = "", value] = /^(--([^=]+))(?:=([\s\S]*))?$/.exec(arg) ?? [];
  const specs = specsNamed(syntax, given);
  const [spec] = specs;
  if (!spec) return { problem: "unknown", option: typed || arg };
  if (specs.length > 1) return { problem: "ambiguous", option: typed };
  if (spec.value === "none" && value !== undefined) return { problem: "unwanted", option: `--${spec.name}` };
  const own = spec.value === "needed" ? (value ?? pending.shift()) : (value ?? "");
  if (own === undefined) return { problem: "missing", option: typed };
  options.add({ name: spec.name, value: own, typed });
  return undefined;
}

function specsNamed({ specs, abbreviations }: OptionSyntax, given: string): OptionSpec[] {
  const exact = specs.filter(({ name }) => name === given);
  return exact.length > 0 || !abbreviations ? exact : specs.filter(({ name }) => name.startsWith(given));
}

function readShort(
  arg: string,
  pending: string[],
  { specs, number }: OptionSyntax,
  options: Options,
): OptionProblem | undefined {
  for (let at = 1; at < arg.length; at++) {
    const char = arg.charAt(at);
    const [digits = ""] = number === undefined ? [] : (/^\d+/.exec(arg.slice(at)) ?? []);
    if (number !== undefined && digits !== "") {
      options.add({ name: number, value: digits, typed: `-${digits}` });
      at += digits.length - 1;
      continue;
    }
    const typed = `-${char}`;
    const spec = specs.find(({ short }) => short === char);
    if (!spec) return { problem: "unknown", option: typed };
    const rest = arg.slice(at + 1);
    if (spec.value !== "needed") {
      options.add({ name: spec.name, value: "", typed });
      continue;
    }
    const value = rest === "" ? pending.shift() : rest;
    if (value === undefined) return { problem: "missing", option: typed };
    options.add({ name: spec.name, value, typed });
    return undefined;
  }
  return undefined;
}
