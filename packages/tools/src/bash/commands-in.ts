import { type ParsedLine, parseLine } from "./parse-line.ts";

type Node = { readonly type?: unknown } & Readonly<Record<string, unknown>>;

/** The words of a simple command, its name first and without a path. A word that expands to something is undefined. */
export type CommandWords = readonly (string | undefined)[];

/** Commands that run the command given in their arguments, after options, assignments and numbers. */
const WRAPPERS = new Set(["env", "timeout", "xargs", "nohup", "exec", "command", "time", "nice", "sudo", "builtin"]);
const SHELLS = new Set(["bash", "sh", "eval"]);
const MAX_DEPTH = 4;
/** A command of which nothing is known. */
const UNKNOWN: CommandWords = [undefined];

/**
 * The commands that a command line runs, found in its syntax tree: also in loops, substitutions and functions, behind
 * `xargs` or `env`, after `find -exec`, and in the text given to `bash -c`. Words that only look like one, such as in
 * `echo npm`, are none. What is only known while running, and what does not parse, is a command of unknown name.
 */
export function commandsIn(commandLine: string | ParsedLine): CommandWords[] {
  const scan: Scan = { commands: [], functions: new Set() };
  scanLine(typeof commandLine === "string" ? parseLine(commandLine) : commandLine, scan, 0);
  return scan.commands.filter(([name]) => name === undefined || !scan.functions.has(name));
}

interface Scan {
  readonly commands: CommandWords[];
  readonly functions: Set<string>;
}

function scanLine({ script }: ParsedLine, scan: Scan, depth: number): void {
  try {
    if (script) visit(script, scan, depth);
  } catch {
    // Nested too deep.
    scan.commands.push(UNKNOWN);
  }
  if (!script) scan.commands.push(UNKNOWN);
}

function visit(node: unknown, scan: Scan, depth: number): void {
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node)) {
    for (const part of node) visit(part, scan, depth);
    return;
  }
  const { type, name, args } = node as Node;
  if (type === "FunctionDef") scan.functions.add(String(name));
  if (type === "SimpleCommand" && name) {
    addCommand([name, ...(Array.isArray(args) ? args : [])].map(literal), scan, depth);
  }
  for (const value of Object.values(node)) visit(value, scan, depth);
}

/** Adds a command, and the one that it runs in turn. */
function addCommand([first, ...args]: CommandWords, scan: Scan, depth: number): void {
  const name = first?.slice(first.lastIndexOf("/") + 1);
  scan.commands.push([name, ...args]);
  if (name === undefined) return;
  if (name === "find") {
    const inner = after(args, /^-(exec|execdir|ok|okdir)$/);
    if (inner.length > 0) addCommand(inner, scan, depth);
  } else if (SHELLS.has(name)) {
    addScript(name, args, scan, depth);
  } else if (WRAPPERS.has(name) && !(name === "command" && /^-[vV]/.test(args[0] ?? ""))) {
    const rest = args.findIndex((arg) => arg === undefined || !/^(-|\w+=|\d|\{\}$)/.test(arg));
    if (rest !== -1) addCommand(args.slice(rest), scan, depth);
  }
}

function addScript(name: string, args: CommandWords, scan: Scan, depth: number): void {
  const [script] = name === "eval" ? [args.map((arg) => arg ?? "$_").join(" ")] : after(args, /^-\w*c$/);
  if (name !== "eval" && !args.some((arg) => arg === undefined || /^-\w*c$/.test(arg))) {
    // `bash script.sh` runs what is in a file, and `… | sh` what is piped in.
    scan.commands.push(UNKNOWN);
  } else if (script === undefined || depth >= MAX_DEPTH) scan.commands.push(UNKNOWN);
  else scanLine(parseLine(script), scan, depth + 1);
}

/** The words after the first one that matches; none when none does. */
function after(words: CommandWords, pattern: RegExp): CommandWords {
  const at = words.findIndex((word) => pattern.test(word ?? ""));
  return at === -1 ? [] : words.slice(at + 1);
}

/** The text of a word without expansions. */
function literal(word: unknown): string | undefined {
  if (typeof word !== "object" || word === null || !("parts" in word) || !Array.isArray(word.parts)) return undefined;
  const texts = (word.parts as Node[]).map((part) => {
    if (part.type === "DoubleQuoted") return literal(part);
    return typeof part.value === "string" ? part.value : undefined;
  });
  return texts.includes(undefined) ? undefined : texts.join("");
}
