import { CommandError } from "../command/command-error.ts";
import { type OptionProblem, type Options, optionSpecs, readOptions } from "../command/read-options.ts";

const SPECS = optionSpecs(`
  -E --extended-regexp; -F --fixed-strings; -G --basic-regexp; -P --perl-regexp; -e --regexp=; -f --file=
  -i --ignore-case; -y --ignore-case-too; --no-ignore-case; -w --word-regexp; -x --line-regexp; -z --null-data
  -s --no-messages; -v --invert-match; -V --version; --help; -m --max-count=; -b --byte-offset; -n --line-number
  --line-buffered; -H --with-filename; -h --no-filename; --label=; -o --only-matching; -q --quiet; --silent
  --binary-files=; -a --text; -I --without-binary; -d --directories=; -D --devices=; -r --recursive
  -R --dereference-recursive; --include=; --exclude=; --exclude-from=; --exclude-dir=; -L --files-without-match
  -l --files-with-matches; -c --count; -T --initial-tab; -Z --null; -A --after-context=; -B --before-context=
  -C --context=; --group-separator=; --no-group-separator; --color=?; --colour=?; -U --binary
`);

export const USAGE = "Usage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.";

export function readGrepOptions(args: readonly string[]): Options {
  const read = readOptions(args, { specs: SPECS, abbreviations: true, number: "context" });
  if ("problem" in read) throw new CommandError(`${explain(read)}\n${USAGE}`);
  if (read.has("initial-tab")) throw new CommandError("--initial-tab is not supported here");
  return read;
}

function explain({ problem, option }: OptionProblem): string {
  if (option.startsWith("--")) {
    if (problem === "missing") return `option '${option}' requires an argument`;
    if (problem === "unwanted") return `option '${option}' doesn't allow an argument`;
    return problem === "ambiguous" ? `option '${option}' is ambiguous` : `unrecognized option '${option}'`;
  }
  const letter = option.slice(1);
  return problem === "missing" ? `option requires an argument -- '${letter}'` : `invalid option -- '${letter}'`;
}

/** Lines of context; what was given last counts, and that of one side before that of both. */
export function contextOf(options: Options): { readonly before: number; readonly after: number } {
  const number = (name: string): number | undefined => {
    const given = options.last(name);
    if (!given) return undefined;
    if (!/^\d+$/.test(given.value)) throw new CommandError(`${given.value}: invalid context length argument`);
    return Math.min(Number(given.value), 1e9);
  };
  const both = number("context") ?? 0;
  return { before: number("before-context") ?? both, after: number("after-context") ?? both };
}

export function maxCountOf(options: Options): number {
  const given = options.last("max-count");
  if (!given) return Number.POSITIVE_INFINITY;
  if (!/^-?\d+$/.test(given.value)) throw new CommandError("invalid max count");
  return Number(given.value) < 0 ? Number.POSITIVE_INFINITY : Number(given.value);
}

/** What to do about binary files. */
export function binaryFilesOf(options: Options): "binary" | "text" | "without-match" {
  const given = options.last("binary-files", "text", "without-binary");
  if (given?.name === "text") return "text";
  if (given?.name === "without-binary") return "without-match";
  const value = given?.value ?? "binary";
  if (value !== "binary" && value !== "text" && value !== "without-match")
    throw new CommandError("unknown binary-files type");
  return value;
}

/** What to do about directories. */
export function directoriesOf(options: Options): "read" | "recurse" | "skip" {
  const given = options.last("directories", "recursive", "dereference-recursive");
  if (!given) return "read";
  if (given.name !== "directories") return "recurse";
  if (given.value === "read" || given.value === "recurse" || given.value === "skip") return given.value;
  throw new CommandError(
    `invalid argument ‘${given.value}’ for ‘--directories’\nValid arguments are:\n  - ‘read’\n  - ‘recurse’\n  - ‘skip’\n${USAGE}`,
  );
}
