import type { ShellCommand } from "../shell-command.ts";
import { defineCommand } from "./define-command.ts";
import { type Input, readInputs } from "./read-inputs.ts";

const KINDS = ["l", "w", "m", "c", "L"] as const;
const decoder = new TextDecoder();

/** In place of just-bash's, which makes columns narrower than GNU's. */
export const wc: ShellCommand = defineCommand(
  "wc",
  { short: "lwmcL", long: { lines: "l", words: "w", chars: "m", bytes: "c", "max-line-length": "L" } },
  async (options, context) => {
    const kinds = KINDS.filter((kind) => (options.given.length === 0 ? "lwc".includes(kind) : options.has(kind)));
    const inputs = await readInputs(options.operands, context);
    const rows = inputs.map((input) => ({ ...input, counts: kinds.map((kind) => count(input, kind)) }));
    if (rows.length > 1) rows.push({ name: "total", bytes: new Uint8Array(), counts: totals(kinds, rows) });
    const width = await columnWidth(options.operands, kinds.length, inputs);
    const isNamed = options.operands.length > 0;
    const lines = rows.map(({ name, counts, problem }) => {
      if (problem !== undefined && problem !== "Is a directory") return "";
      const numbers = counts.map((number) => String(number).padStart(width)).join(" ");
      return `${numbers}${isNamed ? ` ${name}` : ""}\n`;
    });
    const problems = inputs.flatMap(({ name, problem }) =>
      problem === undefined ? [] : [`wc: ${name}: ${problem}\n`],
    );
    return { stdout: lines.join(""), stderr: problems.join(""), exitCode: problems.length > 0 ? 1 : 0 };
  },
);

function totals(kinds: readonly string[], rows: readonly { readonly counts: readonly number[] }[]): number[] {
  return kinds.map((kind, at) => {
    const numbers = rows.map(({ counts }) => counts[at] ?? 0);
    return kind === "L" ? Math.max(...numbers) : numbers.reduce((sum, number) => sum + number, 0);
  });
}

/** As many digits as the sizes of all files need together; seven for what has no size. One number alone has no margin. */
async function columnWidth(operands: readonly string[], kinds: number, inputs: readonly Input[]): Promise<number> {
  if (kinds === 1 && operands.length <= 1) return 1;
  if (operands.length === 0 || operands.includes("-")) return 7;
  const isOdd = inputs.some(({ problem }) => problem === "Is a directory");
  const bytes = inputs.reduce((sum, input) => sum + (input.problem === undefined ? input.bytes.length : 0), 0);
  return Math.max(String(bytes).length, isOdd ? 7 : 1);
}

function count(input: Input, kind: (typeof KINDS)[number]): number {
  if (input.problem !== undefined) return 0;
  const { bytes } = input;
  if (kind === "c") return bytes.length;
  if (kind === "l") return countLines(bytes);
  const text = decoder.decode(bytes);
  if (kind === "w") return text.match(/[^\s\0]+/g)?.length ?? 0;
  if (kind === "m") return Array.from(text).length;
  return Math.max(...text.split("\n").map((line) => Array.from(line).length));
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++;
  return lines;
}
