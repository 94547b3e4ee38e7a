import type { CommandOutput, ShellCommand } from "../shell-command.ts";

/** Options that take two arguments, one, or none, in front of the filter. */
const VALUES: Readonly<Record<string, number>> = {
  "--arg": 2,
  "--argjson": 2,
  "--slurpfile": 2,
  "--rawfile": 2,
  "--indent": 1,
  "-f": 1,
  "--from-file": 1,
};

/**
 * In front of just-bash's, which takes no `--indent` and `-f`, prints quotes with `-j`, and makes null of an array with
 * `@sh` and nothing of one with `to_entries`.
 */
export const jq: ShellCommand = {
  name: "jq",
  callsOriginal: true,
  async run(given, { original, fs, resolve }) {
    // What comes behind a file and `--args` is no file.
    const at = given.indexOf("--args");
    if (at > 0 && given.slice(0, at).filter((arg) => !arg.startsWith("-")).length > 1) return original(given);
    const { args, flags, indent, file } = splitArguments(given);
    const refused = flags.find((flag) => /^--(stream|seq|stream-errors|jsonargs|raw-output0)$/.test(flag));
    if (refused !== undefined) return problem(`${refused} is not supported here`);
    if (indent !== undefined && !/^[0-7]$/.test(indent)) return problem("Cannot indent more than 7 characters");
    const rest = [...args];
    const source = file === undefined ? rest.shift() : await fs.readFile(resolve(file)).catch(() => undefined);
    if (file !== undefined && source === undefined)
      return problem(`error: Could not open ${file}: No such file or directory`);
    const form = formOf(flags, indent);
    const filter = source === undefined ? [] : [withFixes(source)];
    return withForm(await original([...form.added, ...form.kept, ...filter, ...rest]), form);
  },
};

function problem(text: string): CommandOutput {
  return { stderr: `jq: ${text}\n`, exitCode: 2 };
}

interface Split {
  /** The filter and the files. */
  readonly args: readonly string[];
  readonly flags: readonly string[];
  readonly indent: string | undefined;
  readonly file: string | undefined;
}

function splitArguments(given: readonly string[]): Split {
  const [args, flags]: [string[], string[]] = [[], []];
  let indent: string | undefined;
  let file: string | undefined;
  const rest = [...given];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === "--") {
      args.push(...rest.splice(0));
      break;
    }
    const count = Object.hasOwn(VALUES, arg) ? (VALUES[arg] ?? 0) : 0;
    const values = rest.splice(0, count);
    if (arg === "--indent") indent = values[0] ?? "";
    else if (arg === "-f" || arg === "--from-file") file = values[0] ?? "";
    else if (/^-[a-zA-Z]+f$/.test(arg)) {
      flags.push(arg.slice(0, -1));
      file = rest.shift() ?? "";
    } else if (arg.startsWith("-") && arg !== "-") flags.push(arg, ...values);
    else args.push(arg);
  }
  return { args, flags, indent, file };
}

const AS_WORD = 'if type == "string" then @sh else tojson end';
const SH = `(if type == "array" then map(${AS_WORD}) | join(" ") else ${AS_WORD} end)`;
const TO_ENTRIES = '(if type == "array" then [range(length) as $k | {key: $k, value: .[$k]}] else to_entries end)';

/** `@sh` of an array is that of each, with blanks between; in front of a string it formats what is in that. */
function withFixes(filter: string): string {
  return filter.replace(/@sh\b(?!\s*")/g, SH).replace(/(?<![\w.$"])to_entries\b/g, TO_ENTRIES);
}

interface Form {
  readonly added: readonly string[];
  readonly kept: readonly string[];
  readonly indent: string | undefined;
  readonly isRaw: boolean;
  readonly isAscii: boolean;
}

function formOf(flags: readonly string[], indent: string | undefined): Form {
  const letters = flags.filter((flag) => /^-[a-zA-Z]+$/.test(flag)).join("");
  const isJoined = letters.includes("j") || flags.includes("--join-output");
  return {
    // What is joined has no quotes.
    added: [...(isJoined ? ["-r"] : []), ...(indent === "0" ? ["-c"] : [])],
    kept: flags.filter((flag) => flag !== "--unbuffered"),
    indent: indent === "0" ? undefined : indent,
    isRaw: isJoined || letters.includes("r") || flags.includes("--raw-output"),
    isAscii: letters.includes("a") || flags.includes("--ascii-output"),
  };
}

function withForm(result: CommandOutput, { indent, isRaw, isAscii }: Form): CommandOutput {
  let { stdout } = result;
  if (typeof stdout !== "string") return result;
  if (indent !== undefined && isRaw && /^[[{]$/m.test(stdout))
    return problem("--indent with -r is not supported here; leave -r out");
  // Lines of JSON begin with two blanks for each level; a string has no line end.
  if (indent !== undefined && !isRaw)
    stdout = stdout.replace(/^(?: {2})+/gm, (blanks) => " ".repeat((blanks.length / 2) * Number(indent)));
  const escape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return { ...result, stdout: isAscii ? stdout.replace(/[\u0080-\uffff]/g, escape) : stdout };
}
