import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type TestTools, withTools } from "../with-tools.ts";
import differences from "./known-differences.json" with { type: "json" };
import type { GrepInput } from "./grep-input.ts";
import { readRgOptions } from "./rg/rg-options.ts";

// A table of cases of another project, which is not copied here.
const folder = process.env["TENREC_CASES"];

/** Most of the table that may be a known difference. */
const MOST_DIFFERENCES = 0.03;

interface Step {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly stdout?: string;
  readonly sort?: boolean;
  readonly fails?: boolean;
  readonly exit?: number;
}

interface Row {
  readonly id: string;
  readonly files: Readonly<Record<string, string>>;
  readonly dirs: readonly string[];
  readonly steps: readonly Step[];
}

const rows: readonly Row[] = folder
  ? (JSON.parse(readFileSync(join(folder, "ripgrep-cli.json"), "utf8")) as Row[])
  : Array.from({ length: differences.size }, (_, at) => ({
      id: `case ${at + 1} of ${differences.size}: TENREC_CASES is not set`,
      files: {},
      dirs: [],
      steps: [],
    }));

/** There is no `.git` in a tree, so what needs a file of one is no case for it. */
function isKept(path: string): boolean {
  return !path.split("/").includes(".git");
}

const isOutside = (row: Row): boolean => !folder || !Object.keys(row.files).every(isKept);

function withRow(row: Row, run: (test: TestTools) => Promise<void>): Promise<void> {
  const files = Object.fromEntries(Object.entries(row.files).map(([path, text]) => [`/${path}`, text]));
  return withTools(files, async (tools) => {
    for (const path of row.dirs.filter(isKept)) await tools.fs.mkdir(`/${path}`, { recursive: true });
    await run(tools);
  });
}

function check(id: string, known: readonly { readonly id: string }[], got: unknown, wanted: unknown): void {
  // A known difference that is none any more has to leave the list.
  if (known.some((one) => one.id === id)) expect(got).not.toEqual(wanted);
  else expect(got).toEqual(wanted);
}

function inOrder(text: string, sort: boolean | undefined): string {
  return sort ? text.split("\n").toSorted().join("\n") : text;
}

describe("the table ripgrep-cli, typed in the shell", () => {
  test("few are known differences", () => {
    expect(differences.bash.length).toBeLessThanOrEqual(differences.size * MOST_DIFFERENCES);
  });

  const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

  for (const row of rows) {
    test.skipIf(isOutside(row))(`${row.id}`, () =>
      withRow(row, async ({ call, fs }) => {
        const got: unknown[] = [];
        const wanted: unknown[] = [];
        for (const { args, cwd, stdout, sort, fails, exit } of row.steps) {
          const line = ["rg", ...args.map(quote)].join(" ");
          // What it prints goes to a file: the answer of the tool is capped and cleaned.
          const command = `cd ${quote(`/workspace/${cwd}`)} && ${line} > /workspace/.printed`;
          const { data } = await call("bash", { command });
          const printed = await fs.readFile("/.printed");
          await fs.rm("/.printed");
          const code = (data as { exitCode: number }).exitCode;
          const exits = exit === undefined ? (code !== 0) === (fails ?? code !== 0) : code === exit;
          got.push({ line, exits, stdout: stdout === undefined ? undefined : inOrder(printed, sort) });
          wanted.push({ line, exits: true, stdout: stdout === undefined ? undefined : inOrder(stdout, sort) });
        }
        check(row.id, differences.bash, got, wanted);
      }),
    );
  }
});

/** The call of the `grep` tool that asks for the same; `undefined` when it has no parameter for it. */
function toToolInput({ args, cwd }: Step): GrepInput | undefined {
  const options = readRgOptions(args);
  const operands = [...options.operands];
  const patterns = options.has("regexp") ? options.values("regexp") : operands.splice(0, 1);
  const number = (name: string): number | undefined => {
    const value = options.last(name)?.value;
    return value === undefined ? undefined : Number(value);
  };
  const isOne = patterns.length === 1 && operands.length < 2 && options.values("glob", "type").length < 2;
  const isEmpty = number("max-count") === 0 || options.values("type").includes("all");
  if (!isOne || isEmpty || !args.every(isForTool)) return undefined;
  return {
    pattern: patterns[0] ?? "",
    path: join(cwd || ".", operands[0] ?? "."),
    mode: options.has("count") ? "count" : options.has("files-with-matches") ? "files" : "content",
    glob: options.last("glob")?.value,
    type: options.last("type")?.value,
    ignoreCase: options.has("ignore-case"),
    literal: options.has("fixed-strings"),
    word: options.has("word-regexp"),
    multiline: options.has("multiline"),
    all: options.count("unrestricted") === 2,
    context: number("context"),
    before: number("before-context"),
    after: number("after-context"),
    maxPerFile: number("max-count"),
  };
}

/** Options that there are parameters for, and what is only about how ripgrep reads or shows. */
const TOOL_OPTIONS: ReadonlySet<string> = new Set(
  (
    "-i --ignore-case -F --fixed-strings -w --word-regexp -U --multiline --multiline-dotall -C --context -A --after-context " +
    "-B --before-context -m --max-count -g --glob -t --type -e --regexp -c --count -l --files-with-matches -uu " +
    "-n --line-number -N --no-line-number --mmap"
  ).split(" "),
);

function isForTool(arg: string): boolean {
  const [name = ""] = /^--[^=]+|^-[a-zA-Z](?=\d+$)/.exec(arg) ?? [arg];
  return !arg.startsWith("-") || TOOL_OPTIONS.has(name) || (name === "-g" && arg.length > 2);
}

/** The answer of the tool as paths and texts, or paths and counts, or paths. */
function answered(text: string, { mode }: GrepInput): string[] {
  return text
    .split("\n")
    .filter((line) => line !== "" && line !== "--" && !line.startsWith("["))
    .map((line) => {
      if (line.endsWith(": is binary, and matches")) return `${line.slice(0, line.indexOf(":"))}\tis binary`;
      if (mode !== "content") return line.replace(": ", "\t");
      return line.replace(/^(.+?)[:-]\d+[:-] /, "$1\t");
    });
}

describe("the table ripgrep-cli, asked of the tool", () => {
  test("few are known differences, and many can be asked", () => {
    const asked = rows.filter((row) => !isOutside(row) && row.steps.every((step) => toToolInput(step)));
    expect(differences.tool.length).toBeLessThanOrEqual(differences.size * MOST_DIFFERENCES);
    expect(asked.length).toBe(folder ? differences.askedOfTool : 0);
  });

  for (const row of rows) {
    const inputs = isOutside(row) ? [] : row.steps.map(toToolInput);
    test.skipIf(isOutside(row) || inputs.includes(undefined))(`${row.id}`, () =>
      withRow(row, async ({ call }) => {
        const got: unknown[] = [];
        const wanted: unknown[] = [];
        for (const [at, step] of row.steps.entries()) {
          const input = inputs[at];
          if (!input) continue;
          const output = await call("grep", input);
          const found = output.isError ? [] : answered(output.text, input);
          const isNothing = output.isError === true || output.text.startsWith("No match");
          const fails = step.fails ?? (step.exit ?? 0) !== 0;
          got.push({ input, fails: isNothing, lines: isNothing || step.stdout === undefined ? [] : found.toSorted() });
          const lines = fails ? [] : printed(step, input);
          wanted.push({ input, fails, lines: lines.toSorted() });
        }
        check(row.id, differences.tool, got, wanted);
      }),
    );
  }
});

/** What ripgrep printed, in the same way. It leaves the name out when one file is named, and has paths from where it runs. */
function printed({ stdout = "", args, cwd }: Step, input: GrepInput): string[] {
  const single = isFileOperand(args);
  const numbers = args.includes("-n") ? "(?:\\d+[:-])" : "";
  return stdout
    .split("\n")
    .filter((line) => line !== "" && line !== "--")
    .map((line) => {
      if (line.includes("binary file matches")) return `${input.path}\tis binary`;
      if (single) return `${input.path}\t${line.replace(new RegExp(`^${numbers}`), "")}`;
      const found = input.mode === "files" ? line : line.replace(new RegExp(`^(.+?)[:-]${numbers}`), "$1\t");
      return cwd ? join(cwd, found) : found;
    });
}

function isFileOperand(args: readonly string[]): boolean {
  const options = readRgOptions(args);
  return options.operands.length - (options.has("regexp") ? 0 : 1) > 0;
}
