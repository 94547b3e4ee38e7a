import type { ShellCommand } from "../shell-command.ts";
import { defineCommand } from "./define-command.ts";
import { fromLatin1, latin1 } from "../encoding.ts";
import type { ParsedOptions } from "./parse-options.ts";
import { linesOf, piecesOf } from "./pieces.ts";
import { joinBytes } from "../../web/read-body.ts";
import { readInputs } from "./read-inputs.ts";

const LONG = {
  "show-all": "A",
  "number-nonblank": "b",
  "show-ends": "E",
  number: "n",
  "squeeze-blank": "s",
  "show-tabs": "T",
  "show-nonprinting": "v",
};

/** In place of just-bash's, which calls a folder a missing file, and knows `-n` alone. */
export const cat: ShellCommand = defineCommand("cat", { short: "AbeEnstTuv", long: LONG }, async (options, context) => {
  const inputs = await readInputs(options.operands, context);
  const stderr = inputs
    .flatMap(({ name, problem }) => (problem === undefined ? [] : [`cat: ${name}: ${problem}\n`]))
    .join("");
  const parts = inputs.flatMap(({ bytes }) => (bytes ? [bytes] : []));
  const exitCode = stderr ? 1 : 0;
  const all = joinBytes(parts);
  if (options.given.every(([name]) => name === "u")) return { stdout: all, stderr, exitCode };
  const show = lineShower(options);
  let stdout = "";
  for await (const piece of piecesOf(latin1(all), context.signal)) {
    const isOpen = !piece.endsWith("\n");
    const lines = linesOf(piece);
    for (const [at, line] of lines.entries()) stdout += show(line, isOpen && at === lines.length - 1 ? "" : "\n");
  }
  return { stdout: fromLatin1(stdout), stderr, exitCode };
});

function lineShower(options: ParsedOptions): (line: string, end: string) => string {
  const showsEnds = options.has("A", "e", "E");
  const showsTabs = options.has("A", "t", "T");
  const showsAll = options.has("A", "e", "t", "v");
  let number = 0;
  let blanks = 0;
  return (line, end) => {
    blanks = line === "" ? blanks + 1 : 0;
    if (blanks > 1 && options.has("s")) return "";
    const isNumbered = options.has("b") ? line !== "" : options.has("n");
    const head = isNumbered ? `${String(++number).padStart(6)}\t` : "";
    const shown = showsAll ? line.replace(/[^\t -~]/g, caret) : line;
    return head + (showsTabs ? shown.replaceAll("\t", "^I") : shown) + (showsEnds && end ? `$${end}` : end);
  };
}

/** A byte that cannot be seen, in the notation with `^` and `M-`. */
function caret(char: string): string {
  const code = char.charCodeAt(0);
  if (code >= 128) {
    const low = String.fromCharCode(code - 128);
    return `M-${/[ -~]/.test(low) ? low : caret(low)}`;
  }
  return code === 127 ? "^?" : `^${String.fromCharCode(code + 64)}`;
}
