import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

/** Beyond this many edits, the parts that differ are given as one block: finding the shortest edit takes its square. */
const MAX_EDITS = 2000;

export interface Patch {
  readonly patch: string;
  readonly added: number;
  readonly removed: number;
}

/** Unified diff with three lines of context, as git prints it; `undefined` for a file that is not there. */
export function unifiedPatch(path: string, before: string | undefined, after: string | undefined): Patch {
  const left = before === undefined ? "/dev/null" : `a${path}`;
  const right = after === undefined ? "/dev/null" : `b${path}`;
  if (before === after) return { patch: "", added: 0, removed: 0 };
  const patch =
    createTwoFilesPatch(left, right, before ?? "", after ?? "", undefined, undefined, {
      context: 3,
      maxEditLength: MAX_EDITS,
      headerOptions: FILE_HEADERS_ONLY,
    }) ?? blockPatch(left, right, before ?? "", after ?? "");
  const body = patch.slice(patch.indexOf("@@"));
  return { patch, added: countLines(body, "+"), removed: countLines(body, "-") };
}

function blockPatch(left: string, right: string, before: string, after: string): string {
  const old = splitLines(before);
  const now = splitLines(after);
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const from = Math.max(0, head - 3);
  const rest = Math.min(tail, 3);
  const removed = old.slice(head, old.length - tail);
  const added = now.slice(head, now.length - tail);
  const range = (lines: string[]): string => {
    const count = lines.length - tail + rest - from;
    return `${count === 0 ? from : from + 1},${count}`;
  };
  const lines = [
    ...old.slice(from, head).map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...old.slice(old.length - tail, old.length - tail + rest).map((line) => ` ${line}`),
  ];
  const body = lines.map((line) => (line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`)).join("");
  return `--- ${left}\n+++ ${right}\n@@ -${range(old)} +${range(now)} @@\n${body}`;
}

/** Lines with their ends; the last one may have none. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function countLines(body: string, sign: string): number {
  let count = 0;
  for (let at = 0; at !== -1 && at < body.length; at = body.indexOf("\n", at) + 1 || -1) {
    if (body[at] === sign) count++;
  }
  return count;
}
