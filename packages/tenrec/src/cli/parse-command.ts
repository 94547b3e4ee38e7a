import { parseArgs } from "node:util";
import type { CommandSpec, OptionSpec } from "./command-spec.ts";
import { nearest } from "./nearest.ts";
import { UsageError } from "./usage-error.ts";

/** A command line that was understood: which command, and what was said to it. */
export interface ParsedCommand {
  readonly spec: CommandSpec;
  readonly words: readonly string[];
  /** True for a switch; the values of an option in their order. */
  readonly switches: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, readonly string[]>;
}

export const HELP: OptionSpec = { about: "show this help", short: "h" };

/** Finds the command and its options. Throws `UsageError` for what is unknown, with the name that is most like it. */
export function parseCommand(args: readonly string[], commands: readonly CommandSpec[]): ParsedCommand {
  const [name = "", ...rest] = args;
  const names = commands.map((command) => command.name);
  const spec = commands.find((command) => command.name === name);
  if (!spec) throw new UsageError(`There is no command "${name}".${suggest(name, names)} See: tenrec --help`);
  const options: CommandSpec["options"] = { ...spec.options, help: HELP };
  const { positionals, tokens } = parseArgs({
    args: [...rest],
    options: Object.fromEntries(Object.entries(options).map(([key, option]) => [key, parseOption(option)])),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const given = tokens.flatMap((token) => (token.kind === "option" ? [readOption(token, spec, options)] : []));
  const switches = new Set(given.flatMap(({ name, value }) => (value === undefined ? [name] : [])));
  const values = new Map<string, string[]>();
  for (const { name, rawName, value } of given) {
    if (value === undefined) continue;
    const before = values.get(name);
    if (before && !options[name]?.multiple) throw wrong(spec, `${rawName} is given twice.`);
    values.set(name, [...(before ?? []), value]);
  }
  const extra = positionals[spec.words];
  if (extra !== undefined && !switches.has("help")) {
    const advice = spec.name === "run" ? " Put the prompt into quotes." : "";
    throw wrong(spec, `"${extra}" is one word too many.${advice}`);
  }
  return { spec, words: positionals, switches, values };
}

interface Given {
  readonly name: string;
  readonly rawName: string;
  /** Absent for a switch. */
  readonly value?: string;
}

function readOption(token: OptionToken, spec: CommandSpec, options: CommandSpec["options"]): Given {
  const { name, rawName, value } = token;
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (!option) throw unknownOption(rawName, spec, Object.keys(options));
  if (option.value) return { name, rawName, value: checkValue(token, option, spec) };
  if (value !== undefined) throw wrong(spec, `${rawName} takes no value.`);
  return { name, rawName };
}

function parseOption({ value, short }: OptionSpec): { type: "string" | "boolean"; short?: string; multiple: boolean } {
  return { type: value ? "string" : "boolean", multiple: true, ...(short === undefined ? {} : { short }) };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function checkValue({ rawName, value, inlineValue }: OptionToken, option: OptionSpec, spec: CommandSpec): string {
  const name = option.value?.name ?? "";
  if (value === undefined || (!inlineValue && value.startsWith("-") && value !== "-")) {
    throw wrong(spec, `${rawName} needs ${name}.`);
  }
  const known = option.value?.oneOf;
  if (known && !known.includes(value)) {
    throw wrong(spec, `${rawName} is one of ${known.join(", ")}; "${value}" is not.${suggest(value, known)}`);
  }
  return value;
}

function unknownOption(rawName: string, spec: CommandSpec, known: readonly string[]): UsageError {
  const flags = known.map((name) => `--${name}`);
  return wrong(spec, `There is no option ${rawName} of tenrec ${spec.name}.${suggest(rawName, flags)}`);
}

function suggest(word: string, known: readonly string[]): string {
  const name = nearest(word, known);
  return name === undefined ? "" : ` Did you mean ${name}?`;
}

function wrong({ name }: CommandSpec, message: string): UsageError {
  return new UsageError(`${message} See: tenrec ${name} --help`);
}
