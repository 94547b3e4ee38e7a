import type { CommandContext, ShellCommand } from "../shell-command.ts";
import { defineCommand } from "./define-command.ts";
import { modeText } from "./list-columns.ts";
import { fromLatin1, latin1 } from "../encoding.ts";
import { problemOf, readInputs } from "./read-inputs.ts";

/** In place of just-bash's, which does not know counts from the end. */
const head: ShellCommand = {
  name: "head",
  callsOriginal: true,
  async run(args, context) {
    const count = negativeCount(args);
    if (count === undefined) return context.original(args);
    const { unit, number, operands } = count;
    const inputs = await readInputs(operands, context);
    const parts = inputs.map(({ name, bytes = new Uint8Array() }) => {
      const text = latin1(bytes);
      const kept =
        unit === "c"
          ? text.slice(0, Math.max(0, text.length - number))
          : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).slice(0, -number).join("");
      return inputs.length > 1 ? `==> ${name} <==\n${kept}` : kept;
    });
    const problems = inputs.flatMap(({ name, problem }) =>
      problem === undefined ? [] : [`head: cannot open '${name}' for reading: ${problem}\n`],
    );
    return {
      stdout: fromLatin1(parts.join(inputs.length > 1 ? "\n" : "")),
      stderr: problems.join(""),
      exitCode: problems.length > 0 ? 1 : 0,
    };
  },
};

function negativeCount(args: readonly string[]): { unit: string; number: number; operands: string[] } | undefined {
  const joined = args
    .join("\0")
    .replace(
      /^(.*\0)?--(lines|bytes)=/,
      (_, before: string = "", name: string) => `${before}-${name === "lines" ? "n" : "c"}\0`,
    );
  const match = /(?:^|\0)-(n|c)\0?-(\d+)(?=\0|$)/.exec(joined);
  if (!match) return undefined;
  const rest = joined.slice(0, match.index) + joined.slice(match.index + match[0].length);
  return {
    unit: match[1] ?? "n",
    number: Number(match[2]),
    operands: rest.split("\0").filter((word) => word !== "" && !/^-[qv]$/.test(word)),
  };
}

/** In place of just-bash's, whose counts are in a narrower column. */
const uniq: ShellCommand = {
  name: "uniq",
  callsOriginal: true,
  async run(args, context) {
    const isCounting = args.some((arg) => /^-[a-z]*c/.test(arg) || arg === "--count");
    const result = await context.original(args);
    if (!isCounting) return result;
    const widen = (text: string): string => text.replace(/^ *(\d+) /gm, (_, count: string) => `${count.padStart(7)} `);
    const { stdout = "" } = result;
    return { ...result, stdout: typeof stdout === "string" ? widen(stdout) : fromLatin1(widen(latin1(stdout))) };
  },
};

/** In front of just-bash's, which has no `--complement`. */
const cut: ShellCommand = {
  name: "cut",
  callsOriginal: true,
  callsOthers: true,
  async run(args, { original, stdin, exec }) {
    if (!args.includes("--complement")) return original(args);
    const list = args.findIndex((arg) => /^-[fcb]/.test(arg));
    const given = args[list] ?? "";
    const value = given.length > 2 ? given.slice(2) : (args[list + 1] ?? "");
    const others = complement(value);
    const kept = args.filter(
      (arg, at) => arg !== "--complement" && at !== list && !(given.length === 2 && at === list + 1),
    );
    return exec(["cut", ...kept, given.slice(0, 2), others], stdin.bytes());
  },
};

function complement(list: string): string {
  const ranges = list.split(",").map((item) => {
    const [from = "", to] = item.split("-");
    return [Number(from || 1), to === undefined ? Number(from) : Number(to || Infinity)] as const;
  });
  const others: string[] = [];
  let next = 1;
  for (const [from, to] of ranges.sort(([a], [b]) => a - b)) {
    if (from > next) others.push(`${next}-${from - 1}`);
    next = Math.max(next, to + 1);
  }
  if (Number.isFinite(next)) others.push(`${next}-`);
  return others.join(",");
}

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
    return { ...result, stdout: result.stdout.replace(/^( {6})\t$/gm, "$1 ") };
  },
};

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
  "  File: %N\n  Size: %s\t\tBlocks: %b\tIO Block: 4096   %F\nAccess: (0%a/%A)  Uid: ( 1000/    user)   Gid: ( 1000/    user)\nModify: %y\n";

type Stat = Awaited<ReturnType<CommandContext["fs"]["lstat"]>>;

function statFields(name: string, stat: Stat, target: string | undefined): Readonly<Record<string, string>> {
  const seconds = String(Math.floor(stat.mtime.getTime() / 1000));
  const stamp = `${stat.mtime.toISOString().replace("T", " ").replace("Z", "")}000000 +0000`;
  const file = stat.size === 0 ? "regular empty file" : "regular file";
  return {
    n: name,
    N: target === undefined ? name : `${name} -> ${target}`,
    s: String(stat.size),
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

export const TEXT_COMMANDS: readonly ShellCommand[] = [head, uniq, cut, nl, stat, iconv, pager("less"), pager("more")];
