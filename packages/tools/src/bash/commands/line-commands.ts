import type { CommandContext, CommandOutput, ShellCommand } from "../shell-command.ts";
import { fromLatin1, latin1 } from "../encoding.ts";
import { defineCommand } from "./define-command.ts";
import { type ParsedOptions, UsageError } from "./parse-options.ts";
import { linesOf, piecesOf } from "./pieces.ts";
import { readInputs } from "./read-inputs.ts";

/** Does to each line of the inputs the same; a line that has no end keeps none. */
async function eachLine(
  name: string,
  options: ParsedOptions,
  context: CommandContext,
  change: (line: string) => string,
): Promise<CommandOutput> {
  let stdout = "";
  let stderr = "";
  for (const input of await readInputs(options.operands, context)) {
    if (input.bytes === undefined) {
      stderr += `${name}: ${input.name}: ${input.problem}\n`;
      continue;
    }
    for await (const piece of piecesOf(latin1(input.bytes), context.signal)) {
      const changed = linesOf(piece).map(change).join("\n");
      stdout += piece.endsWith("\n") ? `${changed}\n` : changed;
    }
  }
  return { stdout: fromLatin1(stdout), stderr, exitCode: stderr ? 1 : 0 };
}

/** In place of just-bash's, as those below: it does not let go of the event loop. */
const rev = defineCommand("rev", { short: "" }, (options, context) =>
  eachLine("rev", options, context, (line) => {
    // Characters, not bytes: only those beyond ASCII have more than one.
    if (!/[\u0080-\u00FF]/.test(line)) return Array.from(line).reverse().join("");
    const text = new TextDecoder().decode(fromLatin1(line));
    return latin1(new TextEncoder().encode(Array.from(text).reverse().join("")));
  }),
);

const TABS = { "tabs=": "t", initial: "i", all: "a", "first-only": "f" };

/** Where a tab at a column leads to; undefined behind the last of a list. */
function tabStops(text: string | undefined): (column: number) => number | undefined {
  const stops = (text ?? "8").split(/[, ]/).map(Number);
  if (stops.some((stop) => !Number.isInteger(stop) || stop <= 0))
    throw new UsageError(`tab size contains invalid character(s): '${text}'`);
  const [every = 8] = stops;
  if (every > MAX_TAB) throw new UsageError(`tab stop is too large '${text}'`);
  if (stops.length === 1) return (column) => (Math.floor(column / every) + 1) * every;
  return (column) => stops.find((stop) => stop > column);
}

const MAX_TAB = 10_000;

const expand = defineCommand("expand", { short: "t:i", long: TABS }, (options, context) => {
  const next = tabStops(options.value("t"));
  return eachLine("expand", options, context, (line) => {
    const [start = ""] = options.has("i") ? (/^[ \t]*/.exec(line) ?? []) : [line];
    if (!start.includes("\t")) return line;
    let out = "";
    for (const char of start)
      out += char === "\t" ? " ".repeat((next(out.length) ?? out.length + 1) - out.length) : char;
    return out + line.slice(start.length);
  });
});

const unexpand = defineCommand("unexpand", { short: "t:af", long: TABS }, (options, context) => {
  const next = tabStops(options.value("t"));
  const isAll = options.has("a", "t") && !options.has("f");
  return eachLine("unexpand", options, context, (line) => {
    const runs = isAll ? /[ \t]+/g : /^[ \t]+/;
    let column = 0;
    let last = 0;
    return line.replace(runs, (blanks: string, at: number) => {
      column += at - last;
      last = at + blanks.length;
      const start = column;
      for (const char of blanks) column = char === "\t" ? (next(column) ?? column + 1) : column + 1;
      return tabbed(start, column, blanks, next);
    });
  });
});

/** Blanks from one column to another, with as many tabs as fit; a single one between words stays. */
function tabbed(from: number, to: number, blanks: string, next: (column: number) => number | undefined): string {
  if (blanks === " ") return blanks;
  let out = "";
  let column = from;
  for (let stop = next(column); stop !== undefined && stop <= to; stop = next(column)) {
    out += "\t";
    column = stop;
  }
  return out + " ".repeat(to - column);
}

const fold = defineCommand(
  "fold",
  { short: "w:sb", long: { "width=": "w", spaces: "s", bytes: "b" } },
  (options, context) => {
    const width = Number(options.value("w") ?? 80);
    if (!Number.isInteger(width) || width < 1)
      throw new UsageError(`invalid number of columns: '${options.value("w")}'`);
    return eachLine("fold", options, context, (line) => {
      const parts: string[] = [];
      let rest = line;
      while (rest.length > width) {
        const blank = options.has("s") ? rest.lastIndexOf(" ", width - 1) : -1;
        const end = blank === -1 ? width : blank + 1;
        parts.push(rest.slice(0, end));
        rest = rest.slice(end);
      }
      return [...parts, rest].join("\n");
    });
  },
);

/** A number alone, as in `fold -80`, is the value of an option. */
function withNumber(command: ShellCommand, option: string): ShellCommand {
  return {
    name: command.name,
    run: (args, context) =>
      command.run(
        args.map((arg) => arg.replace(/^-(?=\d+$)/, option)),
        context,
      ),
  };
}

export const LINE_COMMANDS: readonly ShellCommand[] = [
  rev,
  withNumber(expand, "-t"),
  withNumber(unexpand, "-t"),
  withNumber(fold, "-w"),
];
