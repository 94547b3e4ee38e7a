/** What a command was called with. */
export interface ParsedOptions {
  /** In the order in which they were given, long names as in the specification. */
  readonly given: readonly (readonly [name: string, value: string])[];
  readonly operands: readonly string[];
  has(...names: readonly string[]): boolean;
  /** The last value of any of these. */
  value(...names: readonly string[]): string | undefined;
}

/** Options of a command: `short` as for getopts, with `:` behind one that takes a value; `long` names map to short ones. */
export interface OptionSpec {
  readonly short: string;
  /** `name` for a flag, `name=` for one with a value, `name?` for one whose value may be left out; to its short name or itself. */
  readonly long?: Readonly<Record<string, string>>;
  /** What follows the first operand is one too, as for commands that run others. */
  readonly stopsAtOperand?: boolean;
}

/** Splits arguments as GNU's getopt does. Throws a `UsageError` for an option that is not in the specification. */
export function parseOptions(args: readonly string[], spec: OptionSpec): ParsedOptions {
  const given: [string, string][] = [];
  const operands: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === "--") {
      operands.push(...rest);
      break;
    }
    if (arg.startsWith("--")) given.push(parseLong(arg, rest, spec));
    else if (arg.startsWith("-") && arg !== "-") given.push(...parseShort(arg, rest, spec));
    else {
      operands.push(arg);
      if (spec.stopsAtOperand) operands.push(...rest.splice(0));
    }
  }
  return {
    given,
    operands,
    has: (...names) => given.some(([name]) => names.includes(name)),
    value: (...names) => given.findLast(([name]) => names.includes(name))?.[1],
  };
}

function parseLong(arg: string, rest: string[], { long = {} }: OptionSpec): [string, string] {
  const [, name = "", value] = /^--([^=]*)(?:=(.*))?$/s.exec(arg) ?? [];
  const keys = Object.keys(long);
  // Any beginning that only one name has is enough.
  const begun = keys.filter((key) => key.startsWith(name));
  const key =
    keys.find((candidate) => candidate.replace(/[=?]$/, "") === name) ?? (begun.length === 1 ? begun[0] : undefined);
  if (key === undefined) throw new UsageError(`unrecognized option '${arg}'`);
  const option = long[key] ?? name;
  if (key.endsWith("?")) return [option, value ?? ""];
  if (!key.endsWith("=")) {
    if (value !== undefined) throw new UsageError(`option '--${name}' doesn't allow an argument`);
    return [option, ""];
  }
  const taken = value ?? rest.shift();
  if (taken === undefined) throw new UsageError(`option '--${name}' requires an argument`);
  return [option, taken];
}

function parseShort(arg: string, rest: string[], { short }: OptionSpec): [string, string][] {
  const found: [string, string][] = [];
  for (let at = 1; at < arg.length; at++) {
    const letter = arg.charAt(at);
    const where = letter === ":" ? -1 : short.indexOf(letter);
    if (where === -1) throw new UsageError(`invalid option -- '${letter}'`);
    if (short[where + 1] !== ":") {
      found.push([letter, ""]);
      continue;
    }
    const attached = arg.slice(at + 1);
    // Two colons: the value is attached or left out.
    const value = attached || short[where + 2] === ":" ? attached : rest.shift();
    if (value === undefined) throw new UsageError(`option requires an argument -- '${letter}'`);
    found.push([letter, value]);
    break;
  }
  return found;
}

/** A command was called in a way that it does not understand. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
