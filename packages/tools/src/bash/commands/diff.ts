import { diffArrays, structuredPatch } from "diff";
import type { CommandContext, CommandOutput, ShellCommand } from "../shell-command.ts";
import { defineCommand } from "./define-command.ts";
import { globMatch } from "./glob-match.ts";
import type { ParsedOptions } from "./parse-options.ts";
import { latin1 } from "../encoding.ts";
import { readInput } from "./read-inputs.ts";

const LONG = {
  recursive: "r",
  brief: "q",
  "unified?": "u",
  "context?": "c",
  "ignore-all-space": "w",
  "ignore-space-change": "b",
  "ignore-blank-lines": "B",
  "ignore-case": "i",
  "new-file": "N",
  "report-identical-files": "s",
  "color?": "-",
  "exclude=": "x",
  "label=": "L",
  text: "a",
  "strip-trailing-cr": "Z",
  "ignore-trailing-space": "Z",
  "side-by-side": "y",
  "width=": "W",
  minimal: "d",
  "speed-large-files": "-",
};

/** Beyond this many edits a difference is shown as whole blocks: finding the shortest one takes its square. */
const MAX_EDITS = 4000;

/** In place of just-bash's, which knows neither GNU's normal format nor `-r`. */
export const diff: ShellCommand = {
  name: "diff",
  run: (args, context) => withFlags(args).run(args, context),
};

const SPEC = { short: "rquU:cC:wbBiNsax:L:Zpytd", long: LONG };

/** A heading in a folder has the options as they were typed. */
function withFlags(args: readonly string[]): ShellCommand {
  return defineCommand(
    "diff",
    SPEC,
    async (options, context) => {
      const [left, right, ...more] = options.operands;
      if (left === undefined || right === undefined || more.length > 0)
        return {
          stderr: `diff: ${more.length > 0 ? `extra operand '${more[0]}'` : `missing operand after '${left ?? "diff"}'`}\n`,
          exitCode: 2,
        };
      if (options.has("y")) return { stderr: "diff: -y is not supported here; use -u\n", exitCode: 2 };
      const run = new DiffRun(options, context, flagsOf(args, options.operands));
      await run.compare(left, right, true);
      return run.output;
    },
    2,
  );
}

function flagsOf(args: readonly string[], operands: readonly string[]): string {
  const left = [...operands];
  const flags = args.filter((arg) => {
    const at = left.indexOf(arg);
    if (at !== -1) left.splice(at, 1);
    return at === -1 && arg !== "--";
  });
  return flags.map((flag) => `${flag} `).join("");
}

class DiffRun {
  #stdout = "";
  #stderr = "";
  #code = 0;
  readonly #flags: string;
  readonly #options: ParsedOptions;
  readonly #context: CommandContext;

  constructor(options: ParsedOptions, context: CommandContext, flags: string) {
    this.#flags = flags;
    this.#options = options;
    this.#context = context;
  }

  get output(): CommandOutput {
    return { stdout: this.#stdout, stderr: this.#stderr, exitCode: this.#code };
  }

  async compare(left: string, right: string, isTop: boolean): Promise<void> {
    const { fs, signal, resolve } = this.#context;
    signal.throwIfAborted();
    const kinds = await Promise.all([left, right].map((name) => this.#isFolder(name)));
    if (kinds[0] && kinds[1]) return this.#compareFolders(left, right);
    if (isTop && (kinds[0] || kinds[1])) {
      const file = kinds[0] ? right : left;
      const inside = `${kinds[0] ? left : right}/${file.slice(file.lastIndexOf("/") + 1)}`;
      return this.compare(kinds[0] ? inside : left, kinds[0] ? right : inside, false);
    }
    if (kinds[0] !== kinds[1]) {
      const word = (isFolder: boolean | undefined): string => (isFolder ? "directory" : "regular file");
      this.#say(`File ${left} is a ${word(kinds[0])} while file ${right} is a ${word(kinds[1])}\n`, 1);
      return;
    }
    const times = await Promise.all(
      [left, right].map(async (name) =>
        name === "-" ? undefined : (await fs.stat(resolve(name)).catch(() => undefined))?.mtime,
      ),
    );
    await this.#compareFiles(left, right, times, isTop);
  }

  async #isFolder(name: string): Promise<boolean> {
    if (name === "-") return false;
    return (await this.#context.fs.stat(this.#context.resolve(name)).catch(() => undefined))?.isDirectory ?? false;
  }

  async #compareFolders(left: string, right: string): Promise<void> {
    const { fs, resolve } = this.#context;
    const [a, b] = await Promise.all([left, right].map(async (name) => new Set(await fs.readdir(resolve(name)))));
    const excluded = this.#options.given.filter(([name]) => name === "x").map(([, glob]) => glob);
    for (const name of [...new Set([...(a ?? []), ...(b ?? [])])].sort()) {
      if (excluded.some((glob) => globMatch(glob, name))) continue;
      const [from, to] = [join(left, name), join(right, name)];
      if (a?.has(name) && b?.has(name)) {
        if ((await this.#isFolder(from)) && (await this.#isFolder(to)) && !this.#options.has("r")) {
          this.#say(`Common subdirectories: ${from} and ${to}\n`, 0);
        } else await this.compare(from, to, false);
      } else if (this.#options.has("N")) await this.compare(from, to, false);
      else this.#say(`Only in ${a?.has(name) ? left : right}: ${name}\n`, 1);
    }
  }

  async #compareFiles(
    left: string,
    right: string,
    times: readonly (Date | undefined)[],
    isTop: boolean,
  ): Promise<void> {
    const [a, b] = [await this.#read(left), await this.#read(right)];
    if (!a || !b) return;
    const both = `${left} and ${right}`;
    if (this.#normal(latin1(a)) === this.#normal(latin1(b))) {
      if (this.#options.has("s")) this.#say(`Files ${both} are identical\n`, 0);
      return;
    }
    const isBinary = !this.#options.has("a") && [a, b].some((bytes) => bytes.subarray(0, 32_768).includes(0));
    if (this.#options.has("q") || isBinary)
      return this.#say(`${isBinary ? "Binary files" : "Files"} ${both} differ\n`, 1);
    const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
    const heading = isTop ? "" : `diff ${this.#flags}${left} ${right}\n`;
    this.#say(heading + this.#difference([left, right], [decoder.decode(a), decoder.decode(b)], times), 1);
  }

  /** A content; one that is not there is empty with `-N`. */
  async #read(name: string): Promise<Uint8Array | undefined> {
    const { bytes, problem } = await readInput(name, this.#context);
    if (bytes) return bytes;
    if (this.#options.has("N") && problem === "No such file or directory") return new Uint8Array();
    this.#stderr += `diff: ${name}: ${problem}\n`;
    this.#code = 2;
    return undefined;
  }

  /** The line, or all lines, with what does not count taken out. */
  #normal(text: string): string {
    let result = text;
    if (this.#options.has("Z")) result = result.replace(/[ \t\r]+$/gm, "");
    if (this.#options.has("w")) result = result.replace(/[ \t\r]+/g, "");
    else if (this.#options.has("b")) result = result.replace(/[ \t\r]+$/gm, "").replace(/[ \t]+/g, " ");
    if (this.#options.has("B")) result = result.replace(/^\n+/gm, "");
    return this.#options.has("i") ? result.toLowerCase() : result;
  }

  #difference(names: [string, string], [a, b]: [string, string], times: readonly (Date | undefined)[]): string {
    const context = this.#options.has("U") ? Number(this.#options.value("U")) : Number(this.#options.value("u") || 3);
    if (!this.#options.has("u", "U")) return normalDiff(a, b, (line) => this.#normal(line));
    const patch = structuredPatch("", "", a, b, undefined, undefined, { context, maxEditLength: MAX_EDITS });
    if (!patch) return `Files ${names.join(" and ")} differ in too many places to show\n`;
    const labels = this.#options.given.filter(([name]) => name === "L").map(([, label]) => label);
    const head = names.map((name, at) => labels[at] ?? `${name}\t${stamp(times[at])}`);
    const hunks = patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => {
      const range = (start: number, count: number): string =>
        count === 1 ? String(start) : `${count === 0 ? start - 1 : start},${count}`;
      return `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@\n${lines.map((line) => `${line}\n`).join("")}`;
    });
    return `--- ${head[0]}\n+++ ${head[1]}\n${hunks.join("")}`;
  }

  #say(text: string, code: number): void {
    this.#stdout += text;
    this.#code = Math.max(this.#code, code);
  }
}

function join(folder: string, name: string): string {
  return folder.endsWith("/") ? folder + name : `${folder}/${name}`;
}

function stamp(time: Date | undefined): string {
  return (time ?? new Date(0)).toISOString().replace("T", " ").replace("Z", "000000 +0000");
}

/** The format without an option: `2c2`, `<`, `>`. */
function normalDiff(a: string, b: string, normal: (line: string) => string): string {
  const lines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const [before, after] = [lines(a), lines(b)];
  const comparator = (left: string, right: string): boolean => left === right || normal(left) === normal(right);
  const parts = diffArrays(before, after, { comparator, maxEditLength: MAX_EDITS });
  if (!parts) return hunkText(0, before, 0, after);
  let out = "";
  let [oldLine, newLine] = [0, 0];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = (): void => {
    if (removed.length + added.length === 0) return;
    out += hunkText(oldLine, removed, newLine, added);
    oldLine += removed.length;
    newLine += added.length;
    [removed, added] = [[], []];
  };
  for (const part of parts) {
    if (part.removed) removed = part.value;
    else if (part.added) added = part.value;
    else {
      flush();
      oldLine += part.value.length;
      newLine += part.value.length;
    }
  }
  flush();
  return out;
}

function hunkText(oldLine: number, removed: readonly string[], newLine: number, added: readonly string[]): string {
  const head = `${range(oldLine, removed.length)}${letter(removed, added)}${range(newLine, added.length)}\n`;
  const divider = removed.length > 0 && added.length > 0 ? "---\n" : "";
  const marks = (sign: string, lines: readonly string[]): string => lines.map((line) => marked(sign, line)).join("");
  return head + marks("<", removed) + divider + marks(">", added);
}

function letter(removed: readonly string[], added: readonly string[]): string {
  if (removed.length === 0) return "a";
  return added.length === 0 ? "d" : "c";
}

function range(start: number, count: number): string {
  if (count === 0) return String(start);
  return count === 1 ? String(start + 1) : `${start + 1},${start + count}`;
}

function marked(sign: string, line: string): string {
  return line.endsWith("\n") ? `${sign} ${line}` : `${sign} ${line}\n\\ No newline at end of file\n`;
}
