import { type OptionProblem, type Options, optionSpecs, readOptions } from "../command/read-options.ts";
import { CommandError } from "../command/command-error.ts";

/** The options of ripgrep 15 that there are here. */
const SPECS = optionSpecs(`
  -A --after-context=; -B --before-context=; -C --context=; -M --max-columns=; -T --type-not=; -t --type=
  -d --max-depth=; --maxdepth=; -e --regexp=; -f --file=; -g --glob=; --iglob=; -j --threads=; -m --max-count=
  --type-add=; --max-filesize=; --ignore-file=; --context-separator=; --path-separator=; --sort=; --sortr=; -r --replace=
  --color=; --field-match-separator=; --field-context-separator=; -E --encoding=; --engine=
  -F --fixed-strings; --no-fixed-strings; -H --with-filename; -I --no-filename; -L --follow; --no-follow
  -N --no-line-number; -n --line-number; -S --smart-case; -s --case-sensitive; -i --ignore-case
  -U --multiline; --no-multiline; --multiline-dotall; --no-multiline-dotall; -a --text; --no-text; --binary; --no-binary
  -c --count; --count-matches; -l --files-with-matches; --files-without-match; --files; --include-zero
  -o --only-matching; -q --quiet; -u --unrestricted; -v --invert-match; --no-invert-match; -w --word-regexp; -x --line-regexp
  -0 --null; -. --hidden; --no-hidden; --column; --no-column; --vimgrep; --heading; --no-heading; -p --pretty; --sort-files
  --crlf; --no-crlf; --mmap; --no-mmap; --glob-case-insensitive; --no-glob-case-insensitive
  --no-ignore; --ignore; --no-ignore-vcs; --no-ignore-dot; --no-ignore-parent; --no-ignore-files; --no-ignore-global
  --no-ignore-exclude; --no-require-git; --require-git; --ignore-vcs; --ignore-dot; --ignore-parent
  --no-context-separator; -P --pcre2; --no-pcre2; --auto-hybrid-regex; -b --byte-offset; --no-byte-offset
  --json; --no-json; --trim; --no-trim; --passthru; --passthrough; --no-messages; --messages; --no-ignore-messages
  --line-buffered; --no-line-buffered; --block-buffered; --no-block-buffered; --no-config; --one-file-system
  --no-one-file-system; --stop-on-nonmatch; --max-columns-preview; --no-max-columns-preview; -h --help; -V --version
`);

/** Those that there are not, so that an answer says so and not that they are unknown. */
const NOT_HERE = optionSpecs(`
  --colors=; --debug; --trace; --dfa-size-limit=; --regex-size-limit=; --generate=; --hostname-bin=; --hyperlink-format=
  --no-encoding; --no-unicode; --unicode; --no-pcre2-unicode; --null-data; --pcre2-version; --pre=; --pre-glob=
  -z --search-zip; --stats; --type-clear=; --type-list; --ignore-file-case-insensitive
`);

export function readRgOptions(args: readonly string[]): Options {
  const read = readOptions(args, { specs: [...SPECS, ...NOT_HERE], abbreviations: false });
  if ("problem" in read) throw new CommandError(explain(read));
  const missing = NOT_HERE.find(({ name }) => read.has(name));
  if (missing) throw new CommandError(`--${missing.name} is not supported here`);
  checkChoices(read);
  const lax = read.last("unrestricted");
  if (lax && read.count("unrestricted") > 3)
    throw new CommandError(`error parsing flag ${lax.typed}: flag can only be repeated up to 3 times`);
  return read;
}

function explain({ problem, option }: OptionProblem): string {
  if (problem === "missing") return `missing value for flag ${option}: missing argument for option '${option}'`;
  if (problem === "unwanted") return `invalid CLI arguments: unexpected argument for option '${option}'`;
  const near = [...SPECS].find(({ name }) => option.length > 4 && name.startsWith(option.slice(2)));
  return `unrecognized flag ${option}${near ? `\n\nsimilar flags that are available: --${near.name}` : ""}`;
}

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  color: ["never", "auto", "always", "ansi"],
  sort: ["none", "path", "modified", "accessed", "created"],
  sortr: ["none", "path", "modified", "accessed", "created"],
  engine: ["default", "pcre2", "auto"],
  encoding: ["auto", "none", "utf-8", "utf8", "UTF-8", "utf-16", "utf-16le", "utf-16be"],
};

function checkChoices(options: Options): void {
  for (const [name, choices] of Object.entries(CHOICES)) {
    const given = options.last(name);
    if (given && !choices.includes(given.value))
      throw new CommandError(`error parsing flag ${given.typed}: choice '${given.value}' is unrecognized`);
  }
}

/** A number that an option has; `EXIT 2` for what is none. */
export function numberOf(options: Options, ...names: readonly string[]): number | undefined {
  const given = options.last(...names);
  if (!given) return undefined;
  if (!/^\d+$/.test(given.value))
    throw new CommandError(
      `error parsing flag ${given.typed}: value is not a valid number: invalid digit found in string`,
    );
  return Number(given.value);
}
