import type { Replacement } from "../edit/apply.ts";
import type { PatchTarget } from "./patch-target.ts";
import { asInTarget, endsLine, rawLine } from "./patch-target.ts";
import type { Placement } from "./place-hunks.ts";

/** What a hunk replaces, and by what. Context keeps the bytes of the file. */
export function hunkReplacement(target: PatchTarget, placement: Placement): Omit<Replacement, "label"> {
  const { line, count, lines } = placement;
  const end = line + count;
  const parts: string[] = [];
  const atFileEnd = end === target.contents.length;
  let at = line;
  if (line > 0 && line === target.contents.length && !endsLine(rawLine(target, line - 1), target))
    parts.push(target.lineEnd);
  const push = (text: string): void => {
    const before = parts.at(-1);
    // The file's last line had no end, and now it is not the last one.
    if (before !== undefined && !endsLine(before, target)) parts.push(target.lineEnd);
    parts.push(text);
  };
  for (const { sign, text, noEnd } of lines) {
    if (sign === " ") push(rawLine(target, at));
    else if (sign === "+") push(asInTarget(text, target) + (noEnd && atFileEnd ? "" : target.lineEnd));
    if (sign !== "+") at += 1;
  }
  return { start: target.starts[line]!, end: target.starts[end]!, text: parts.join("") };
}

/** Whether the line ends of the file's end are as the patch says, which only a program's patch cares about. */
export function endsAsStated(target: PatchTarget, { line, lines }: Placement): boolean {
  let at = line;
  for (const { sign, noEnd } of lines) {
    if (sign === "+") continue;
    if (endsLine(rawLine(target, at), target) === (noEnd ?? false)) return false;
    at += 1;
  }
  return true;
}
