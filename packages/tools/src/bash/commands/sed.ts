import type { CommandContext, CommandOutput, ShellCommand } from "../shell-command.ts";
import { PAUSE_EVERY, PAUSE_FILE } from "../pause-file.ts";
import { readInput, readInputs } from "./read-inputs.ts";
import { withoutLoop } from "./sed-loop.ts";
import { replacing, type SedCommand, sedCommands, sedScript } from "./sed-script.ts";

/**
 * In front of just-bash's: `-z`, `-s`, `-i.bak` and long names are not known there, and a missing file is 1 where GNU
 * says 2.
 */
export const sed: ShellCommand = {
  name: "sed",
  callsOriginal: true,
  callsOthers: true,
  async run(args, context) {
    const given = rewrite(args);
    const call = { ...given, args: asOneScript(await withScriptFiles(given.args, context)) };
    for (const path of call.suffix === undefined ? [] : call.files) {
      const bytes = await context.fs.readFileBuffer(context.resolve(path)).catch(() => undefined);
      if (bytes) await context.fs.writeFile(context.resolve(`${path}${call.suffix}`), bytes);
    }
    if (call.isNull) return runNull(call, context);
    if (call.isSeparate && call.files.length > 1) {
      let stdout = "";
      let stderr = "";
      let exitCode = 0;
      for (const file of call.files) {
        const result = await context.original([...call.args.slice(0, -call.files.length), file]);
        stdout += typeof result.stdout === "string" ? result.stdout : new TextDecoder().decode(result.stdout);
        stderr += result.stderr ?? "";
        exitCode ||= codeOf(result.exitCode, result.stderr);
      }
      return { stdout, stderr, exitCode };
    }
    const result = await context.original(call.args);
    return { ...result, exitCode: codeOf(result.exitCode, result.stderr) };
  },
};

/** With the scripts of `-f` in place of their names: just-bash's knows no `/dev/stdin`. */
async function withScriptFiles(args: readonly string[], context: CommandContext): Promise<string[]> {
  const words = [...args];
  for (let at = words.indexOf("-f"); at !== -1 && at < words.length - 1; at = words.indexOf("-f", at + 1)) {
    const input = await readInput(words[at + 1] ?? "", context);
    // It says by itself of a file that is not there.
    if (input.bytes) words.splice(at, 2, "-e", oneLineText(new TextDecoder().decode(input.bytes).replace(/\n$/, "")));
  }
  return words;
}

/** With the scripts as one, when just-bash's would do something else with it than GNU's. */
function asOneScript(args: readonly string[]): readonly string[] {
  const own = args.flatMap((arg, at) => (args[at - 1] === "-e" && !arg.endsWith(PAUSE_FILE) ? [at] : []));
  const changed = likeGnu(own.map((at) => args[at]).join("\n"));
  if (changed === undefined) return args;
  const gone = new Set(own.slice(1).flatMap((at) => [at - 1, at]));
  return args.flatMap((arg, at) => (gone.has(at) ? [] : [at === own[0] ? changed : arg]));
}

function likeGnu(script: string): string | undefined {
  const given = sedCommands(script);
  const commands = given && (withoutLoop(given) ?? given).map(withBackslashes);
  const isSame = commands?.every((each, at) => each === given?.[at]) ?? true;
  return commands && !isSame ? sedScript(commands) : undefined;
}

/** An escaped backslash in a replacement stays one: just-bash's takes it off twice. */
function withBackslashes(command: SedCommand): SedCommand {
  const { name, parts } = command;
  if (name !== "s" || !parts?.to.includes("\\\\")) return command;
  const to = parts.to.replace(/\\[^]/g, (pair) => (pair === "\\\\" ? pair + pair : pair));
  return replacing(command, { ...parts, to });
}

const ADDRESS = "(?:\\d+(?:~\\d+)?|\\$|/(?:\\\\.|[^/\\\\\\n])*/I?)";
const TEXT_COMMAND = new RegExp(`^(\\s*(?:${ADDRESS}(?:,[+~]?${ADDRESS})?\\s*!?\\s*)?[aic]\\\\)(?=[^\\n])`, "gm");

/** `a\text` as `a\` and the text on its own line: just-bash's takes the backslash for a part of the text. */
function oneLineText(script: string): string {
  return script.replace(TEXT_COMMAND, "$1\n");
}

/** A character that no text has, for line ends where records end with a NUL. */
const LINE_END = "\uE000";

/** `-z`: with line ends and NULs changed for one another, in the input and in what the script says of them. */
async function runNull(call: SedCall, context: CommandContext): Promise<CommandOutput> {
  const { args, files } = call;
  const isInPlace = args.includes("-i");
  const script = args.slice(0, args.length - files.length).filter((arg) => arg !== "-i");
  const words = script.map((word) => word.replaceAll("\\n", LINE_END));
  let stdout = "";
  for (const { name, bytes, problem } of await readInputs(files, context)) {
    if (problem !== undefined) return { stdout, stderr: `sed: can't read ${name}: ${problem}\n`, exitCode: 2 };
    const text = new TextDecoder().decode(bytes).replaceAll("\n", LINE_END).replaceAll("\0", "\n");
    const result = await context.exec(["sed", ...words], new TextEncoder().encode(text));
    if (result.exitCode) return result;
    const printed = typeof result.stdout === "string" ? result.stdout : new TextDecoder().decode(result.stdout);
    const back = printed.replaceAll("\n", "\0").replaceAll(LINE_END, "\n");
    if (isInPlace) await context.fs.writeFile(context.resolve(name), back);
    else stdout += back;
  }
  return { stdout };
}

function codeOf(code = 0, stderr = ""): number {
  if (code === 1 && stderr.includes("couldn't open file")) return 4;
  return code === 1 && /No such file or directory|Is a directory|can't read/.test(stderr) ? 2 : code;
}

interface SedCall {
  readonly args: readonly string[];
  readonly files: readonly string[];
  readonly suffix: string | undefined;
  readonly isNull: boolean;
  readonly isSeparate: boolean;
}

const LONG: Readonly<Record<string, string>> = {
  "--quiet": "-n",
  "--silent": "-n",
  "--regexp-extended": "-E",
  "--in-place": "-i",
  "--null-data": "-z",
  "--separate": "-s",
};

function rewrite(args: readonly string[]): SedCall {
  const call = new Rewriting();
  const rest = [...args];
  for (let given = rest.shift(); given !== undefined; given = rest.shift())
    call.add((Object.hasOwn(LONG, given) ? LONG[given] : undefined) ?? given, rest);
  return call.result;
}

/** What a command line comes to, argument by argument. */
class Rewriting {
  readonly #kept: string[] = [];
  readonly #operands: string[] = [];
  #hasScript = false;
  #suffix: string | undefined;
  #isNull = false;
  #isSeparate = false;

  get result(): SedCall {
    const [script, ...others] = this.#operands;
    const files = this.#hasScript ? this.#operands : others;
    const scripts = this.#hasScript || script === undefined ? [] : ["-e", oneLineText(script)];
    const pauses = script === undefined && !this.#hasScript ? [] : this.#pauses(script);
    const args = [...pauses, ...this.#kept, ...scripts, ...files];
    return { args, files, suffix: this.#suffix, isNull: this.#isNull, isSeparate: this.#isSeparate };
  }

  /** Part of the script that lets go of the event loop; `#n` has to stay its beginning. */
  #pauses(script: string | undefined): readonly string[] {
    const first = this.#hasScript ? this.#kept[this.#kept.findIndex((arg) => /^-[ef]$/.test(arg)) + 1] : script;
    // Not from the first line on: most inputs are short. A script that takes several lines at once comes by as well.
    return first?.startsWith("#n") ? [] : ["-e", `${PAUSE_EVERY + 1}~${PAUSE_EVERY}r ${PAUSE_FILE}`];
  }

  add(arg: string, rest: string[]): void {
    const [, name, attached] = /^--(expression|file|in-place)(?:=(.*))?$/s.exec(arg) ?? [];
    if (arg === "--") this.#operands.push(...rest.splice(0));
    else if (name === "in-place") this.#inPlace(attached ?? "");
    else if (name !== undefined) this.#script(name === "file" ? "-f" : "-e", attached ?? rest.shift() ?? "");
    else if (/^-[^-]/.test(arg)) this.#letters(arg, rest);
    else this.#operands.push(arg);
  }

  #letters(arg: string, rest: string[]): void {
    const [, flags = "", inPlace = "", after = ""] = /^-([nErsuz]*)(i?)(.*)$/s.exec(arg) ?? [];
    this.#isNull ||= flags.includes("z");
    this.#isSeparate ||= flags.includes("s");
    const known = flags.replace(/[szu]/g, "");
    if (known) this.#kept.push(`-${known}`);
    // What follows `i` is a suffix, but for a script's own letter, which people join to it.
    const isSuffix = inPlace !== "" && !/^[ef]$/.test(after);
    if (inPlace) this.#inPlace(isSuffix ? after : "");
    if (after && !isSuffix) this.#script(`-${after.charAt(0)}`, after.slice(1) || (rest.shift() ?? ""));
  }

  #inPlace(suffix: string): void {
    this.#kept.push("-i");
    if (suffix) this.#suffix = suffix;
  }

  #script(option: string, value: string): void {
    this.#kept.push(option, option === "-e" ? oneLineText(value) : value);
    this.#hasScript = true;
  }
}
