import type { FileDiff } from "@tenrec/protocol";
import { oneLine } from "../view/one-line.ts";
import { type PatchLine, patchLines } from "../view/patch-lines.ts";
import type { Paint } from "./paint.ts";
import { visible } from "./visible.ts";

const CHANGES = { create: "created", modify: "modified", delete: "deleted", rename: "renamed" } as const;
const STYLES = { file: "bold", hunk: "cyan", added: "green", removed: "red" } as const;

/** Unified diffs for a terminal, and a line that counts. */
export function diffText(diffs: readonly FileDiff[], paint: Paint): string {
  const added = diffs.reduce((sum, diff) => sum + diff.added, 0);
  const removed = diffs.reduce((sum, diff) => sum + diff.removed, 0);
  const files = `${diffs.length} file${diffs.length === 1 ? "" : "s"} changed`;
  const total = `${files}, ${paint("green", `+${added}`)} ${paint("red", `−${removed}`)}`;
  return [...diffs.map((diff) => fileText(diff, paint)), total].join("\n");
}

function fileText({ path, change, from, binary, patch }: FileDiff, paint: Paint): string {
  const origin = from === undefined ? "" : ` from ${oneLine(from.slice(1))}`;
  if (binary) return `${paint("bold", oneLine(path.slice(1)))}: binary file, ${CHANGES[change]}${origin}\n`;
  return patchLines(patch)
    .map((line) => lineText(line, paint))
    .join("\n")
    .concat("\n");
}

function lineText({ kind, text }: PatchLine, paint: Paint): string {
  const safe = visible(text);
  return kind === "same" ? safe : paint(STYLES[kind], safe);
}
