import type { FileChange } from "./diff-text.ts";
import { hunkLines } from "./hunk-lines.ts";
import type { QuotePath } from "./quote-path.ts";

/** `--check`: what is wrong with the blanks of added lines, and marks of conflicts that were left. */
export function checkText(changes: readonly FileChange[], quote: QuotePath): string {
  return changes.map((change) => checkFile(change, quote)).join("");
}

function checkFile({ diff }: FileChange, quote: QuotePath): string {
  const name = quote(diff.path.slice(1));
  const found: string[] = [];
  let number = 0;
  /** Where the blank lines at the end begin, as far as is known. */
  let blank: number | undefined;
  for (const line of hunkLines(diff.patch)) {
    const start = /^@@ -\S+ \+(\d+)/.exec(line)?.[1];
    if (start !== undefined) {
      number = Number(start);
      blank = undefined;
      continue;
    }
    if (line.startsWith("-") || line.startsWith("\\")) continue;
    const text = line.slice(1);
    if (line.startsWith("+")) {
      const problems = problemsOf(text);
      if (problems.length > 0) {
        const shown = problems.includes(CONFLICT) ? "" : `+${text}\n`;
        const end = shown === "" ? "" : ".";
        found.push(`${name}:${number}: ${problems.join(", ")}${end}\n${shown}`);
      }
    }
    if (!line.startsWith("+") || text.trim() !== "") blank = undefined;
    else blank ??= number;
    number++;
  }
  // Nothing follows an added line without three lines of context, but at the end of the file.
  if (blank !== undefined) found.push(`${name}:${blank}: new blank line at EOF.\n`);
  return found.join("");
}

const CONFLICT = "leftover conflict marker";

function problemsOf(text: string): string[] {
  if (/^(<{7}|\|{7}|>{7})( |$)|^={7}$/.test(text)) return [CONFLICT];
  return [
    ...(/[ \t\r\f\v]$/.test(text) ? ["trailing whitespace"] : []),
    ...(/^\t* +\t/.test(text) ? ["space before tab in indent"] : []),
  ];
}
