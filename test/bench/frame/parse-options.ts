/** What the command line asks for. */
export interface Options {
  readonly bench: string;
  /** Names of cases; none means all of them. */
  readonly only: readonly string[];
  /** Runs of each case at most; undefined leaves it to the case. */
  readonly runs: number | undefined;
  /** A small input and few runs: to see that it works, not how fast it is. */
  readonly quick: boolean;
}

/** A mistake on the command line, with what would be right. */
export class UsageError extends Error {}

/** `benches` says which cases each benchmark has. Throws `UsageError`. */
export function parseOptions(args: readonly string[], benches: Readonly<Record<string, readonly string[]>>): Options {
  const names: string[] = [];
  const only: string[] = [];
  let runs: number | undefined;
  let quick = false;
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [flag, inline] = arg.startsWith("--") ? splitAt(arg, "=") : [undefined, undefined];
    if (flag === undefined) names.push(arg);
    else if (flag === "--quick" && inline === undefined) quick = true;
    else if (flag === "--only") only.push(...valueOf(flag, inline ?? rest.shift()).split(","));
    else if (flag === "--runs") runs = toRuns(valueOf(flag, inline ?? rest.shift()));
    else throw new UsageError(`unknown option ${arg}: there are --only <case>, --runs <number> and --quick.`);
  }
  return { bench: checkNames(names, only, benches), only, runs, quick };
}

function checkNames(
  names: readonly string[],
  only: readonly string[],
  benches: Readonly<Record<string, readonly string[]>>,
): string {
  const [bench, more] = names;
  const known = Object.keys(benches).join(", ");
  if (bench === undefined) throw new UsageError(`name a benchmark: ${known}.`);
  const cases = Object.hasOwn(benches, bench) ? benches[bench] : undefined;
  if (cases === undefined) throw new UsageError(`there is no benchmark ${bench}: ${known}.`);
  if (more !== undefined) throw new UsageError(`one benchmark at a time, not ${more} too: ${known}.`);
  const unknown = only.find((name) => !cases.includes(name));
  if (unknown !== undefined) throw new UsageError(`${bench} has no case ${unknown}: ${cases.join(", ")}.`);
  return bench;
}

function splitAt(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function valueOf(flag: string, value: string | undefined): string {
  if (value === undefined || value === "" || value.startsWith("--")) throw new UsageError(`${flag} needs a value.`);
  return value;
}

function toRuns(value: string): number {
  if (!/^[1-9]\d{0,3}$/.test(value)) throw new UsageError(`--runs takes a number from 1 to 9999, not ${value}.`);
  return Number(value);
}
