import type { FileSystem } from "@tenrec/protocol";
import { readTextIfAny } from "../graph/read-if-any.ts";

const LINES_AROUND = 3;
const MOST_LINE = 300;

export interface CodeLine {
  /** Of the line, from 1, as wide as that of the last one. */
  readonly number: string;
  readonly text: string;
  /** Whether it is the one that was asked for. */
  readonly isHere: boolean;
}

/** The lines around one of a file; none for a place that is none. */
export async function codeLines(fs: FileSystem, path: string, line: number): Promise<readonly CodeLine[]> {
  // What has such a name may be a secret, such as `.dev.vars`; whoever has the link sees the page.
  if (path.includes("/.")) return [];
  const lines = (await readTextIfAny(fs, path))?.split("\n") ?? [];
  if (line < 1 || line > lines.length) return [];
  const first = Math.max(1, line - LINES_AROUND);
  return lines.slice(first - 1, line + LINES_AROUND).map((text, index) => ({
    number: `${first + index}`.padStart(`${line + LINES_AROUND}`.length),
    text: text.slice(0, MOST_LINE),
    isHere: first + index === line,
  }));
}
