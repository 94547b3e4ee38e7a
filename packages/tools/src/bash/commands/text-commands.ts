import type { CommandContext, ShellCommand } from "../shell-command.ts";
import { defineCommand } from "./define-command.ts";
import { modeText } from "./list-columns.ts";
import { fromLatin1, latin1 } from "../encoding.ts";
import { problemOf } from "../problem-of.ts";
import { readInputs } from "./read-inputs.ts";

const pager = (name: string): ShellCommand => ({
  name,
  callsOthers: true,
  run: (args, { exec, stdin }) => exec(["cat", ...args.filter((arg) => !/^[-+]/.test(arg))], stdin.bytes()),
});

/** In place of just-bash's, which ends a line without a number with a tab. */
const nl: ShellCommand = {
  name: "nl",
  callsOriginal: true,
  async run(args, { original }) {
    const result = await original(args);
    if (typeof result.stdout !== "string") return result;
    const width = Number(valueOf(args, "w", "number-width") ?? 6);
    const separator = valueOf(args, "s", "number-separator") ?? "\t";
    const plain = " ".repeat(width) + separator;
    const lines = result.stdout.split("\n").map((line) => (line === plain ? " ".repeat(plain.length) : line));
    return { ...result, stdout: lines.join("\n") };
  },
};

/** The value of an option, attached or not. */
function valueOf(args: readonly string[], letter: string, name: string): string | undefined {
  const at = args.findLastIndex((arg) => arg.startsWith(`-${letter}`) || arg.startsWith(`--${name}`));
  const arg = args[at];
  if (arg === undefined) return undefined;
  if (arg.startsWith("--")) return arg.includes("=") ? arg.slice(arg.indexOf("=") + 1) : args[at + 1];
  return arg.length > 2 ? arg.slice(2) : args[at + 1];
}

/** In place of just-bash's, which knows few formats. */
const stat: ShellCommand = defineCommand(
  "stat",
  { short: "c:Lft", long: { "format=": "c", "printf=": "P", dereference: "L", terse: "t" } },
  async (options, context) => {
    let stdout = "";
    let stderr = "";
    for (const name of options.operands) {
      try {
        const path = context.resolve(name);
        const found = await (options.has("L") ? context.fs.stat(path) : context.fs.lstat(path));
        const target = found.isSymbolicLink ? await context.fs.readlink(path) : undefined;
        const format = options.value("c", "P");
        const fields = statFields(name, found, target);
        const text =
          format === undefined
            ? DEFAULT_FORMAT
            : options.has("P")
              ? format.replaceAll("\\n", "\n").replaceAll("\\t", "\t")
              : `${format}\n`;
        stdout += text.replace(/%(.)/g, (all, letter: string) => fields[letter] ?? all);
      } catch (error) {
        stderr += `stat: cannot statx '${name}': ${problemOf(error)}\n`;
      }
    }
    return { stdout, stderr, exitCode: stderr ? 1 : 0 };
  },
);

const DEFAULT_FORMAT =
  "  File: %N\n  Size: %S\tBlocks: %K IO Block: 4096   %F\nAccess: (0%a/%A)  Uid: ( 1000/    user)   Gid: ( 1000/    user)\nModify: %y\n";

type Stat = Awaited<ReturnType<CommandContext["fs"]["lstat"]>>;

function statFields(name: string, stat: Stat, target: string | undefined): Readonly<Record<string, string>> {
  const seconds = String(Math.floor(stat.mtime.getTime() / 1000));
  const stamp = `${stat.mtime.toISOString().replace("T", " ").replace("Z", "")}000000 +0000`;
  const file = stat.size === 0 ? "regular empty file" : "regular file";
  return {
    n: name,
    N: target === undefined ? name : `${name} -> ${target}`,
    s: String(stat.size),
    // Columns of the form without an option.
    S: String(stat.size).padEnd(10),
    K: String(Math.ceil(stat.size / 512)).padEnd(10),
    b: String(Math.ceil(stat.size / 512)),
    B: "512",
    a: (stat.mode & 0o7777).toString(8),
    f: stat.mode.toString(16),
    A: modeText(stat),
    F: stat.isDirectory ? "directory" : stat.isSymbolicLink ? "symbolic link" : file,
    U: "user",
    G: "user",
    u: "1000",
    g: "1000",
    h: stat.isDirectory ? "2" : "1",
    i: "0",
    X: seconds,
    Y: seconds,
    Z: seconds,
    W: "0",
    x: stamp,
    y: stamp,
    z: stamp,
    "%": "%",
  };
}

const ENCODINGS: Readonly<Record<string, string>> = {
  LATIN1: "latin1",
  "LATIN-1": "latin1",
  "ISO-8859-1": "latin1",
  "ISO8859-1": "latin1",
  ASCII: "latin1",
  "US-ASCII": "latin1",
  UTF8: "utf-8",
  UTF16: "utf-16le",
  "UTF-16": "utf-16le",
};

const iconv: ShellCommand = defineCommand(
  "iconv",
  { short: "f:t:co:sl", long: { "from-code=": "f", "to-code=": "t", "output=": "o" } },
  async (options, context) => {
    const [from, to] = ["f", "t"].map((option) => {
      const [name = "", ...flags] = (options.value(option) ?? "UTF-8").split("//");
      return {
        name: ENCODINGS[name.toUpperCase()] ?? name.toLowerCase(),
        drops: options.has("c") || flags.includes("IGNORE"),
      };
    });
    const inputs = await readInputs(options.operands, context);
    let decoder: TextDecoder;
    try {
      decoder = new TextDecoder(from?.name, { fatal: !from?.drops, ignoreBOM: false });
    } catch {
      return { stderr: `iconv: conversion from '${options.value("f")}' is not supported\n`, exitCode: 1 };
    }
    let text;
    try {
      text = inputs
        .map(({ bytes }) => (from?.name === "latin1" ? latin1(bytes ?? new Uint8Array()) : decoder.decode(bytes)))
        .join("");
    } catch {
      return { stderr: "iconv: illegal input sequence\n", exitCode: 1 };
    }
    const stdout = encodeTo(text, to?.name ?? "utf-8", to?.drops ?? false);
    if (stdout === undefined) return { stderr: `iconv: cannot convert to '${options.value("t")}'\n`, exitCode: 1 };
    const target = options.value("o");
    if (target === undefined) return { stdout };
    await context.fs.writeFile(context.resolve(target), stdout);
    return {};
  },
);

function encodeTo(text: string, encoding: string, drops: boolean): Uint8Array | undefined {
  if (encoding === "utf-8") return new TextEncoder().encode(text);
  if (encoding === "utf-16le")
    return Uint8Array.from(
      { length: text.length * 2 },
      (_, at) => (text.charCodeAt(at >> 1) >> (at % 2 === 0 ? 0 : 8)) & 255,
    );
  if (encoding !== "latin1") return undefined;
  const fitting = text.replace(/[^\0-\u00FF]/gu, "");
  return fitting.length < text.length && !drops ? undefined : fromLatin1(fitting);
}

export const TEXT_COMMANDS: readonly ShellCommand[] = [nl, stat, iconv, pager("less"), pager("more")];
