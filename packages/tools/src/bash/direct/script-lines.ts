import type { Statement } from "../syntax-nodes.ts";

/** Statements by the lines on which they were typed; one that ends on a line where another begins is of the same. */
export function linesOf(statements: readonly Statement[]): readonly (readonly Statement[])[] {
  const lines: Statement[][] = [];
  let lastLine = -1;
  for (const statement of statements) {
    const { first, last } = extentOf(statement);
    const current = lines.at(-1);
    if (current && (first === undefined || first <= lastLine)) current.push(statement);
    else lines.push([statement]);
    lastLine = Math.max(lastLine, last ?? lastLine);
  }
  return lines;
}

interface Extent {
  readonly first: number | undefined;
  readonly last: number | undefined;
}

function extentOf(statement: Statement): Extent {
  const first = lineIn(statement);
  if (first === undefined) return { first, last: undefined };
  const breaks = statement.sourceText?.trim().split("\n").length ?? 1;
  return { first, last: first + breaks - 1 };
}

/** The line of the first command in it; a loop has none of its own. */
function lineIn(node: unknown): number | undefined {
  if (typeof node !== "object" || node === null) return undefined;
  if ("line" in node && typeof node.line === "number" && node.line > 0) return node.line;
  for (const value of Object.values(node)) {
    const line = lineIn(value);
    if (line !== undefined) return line;
  }
  return undefined;
}
