import type { FileDiff } from "@tenrec/protocol";
import type { Base, BaseEntry } from "./base.ts";

/** What a diff does not say: kinds and modes. Without them a new file is a plain one. */
export interface PatchTrees {
  /** What was imported. */
  readonly before?: Base;
  /** The session's tree now, as `baseOf` gives it. */
  readonly after?: Base;
}

/** A change that a text patch cannot carry. */
export interface LeftOut {
  readonly path: string;
  readonly reason: string;
}

type Part = { readonly text: string } | LeftOut;

/**
 * A patch that `git apply` takes in the folder that was imported; empty for no change. What it cannot carry is listed at
 * its top, in lines that `git apply` passes over; when nothing else is left, `git apply` finds no patch in it.
 */
export function patchText(diffs: readonly FileDiff[], trees: PatchTrees = {}): string {
  const parts = diffs.map((diff) => partOf(diff, trees));
  const left = parts.filter(isLeftOut);
  const note = left.map(({ path, reason }) => `#   ${printable(path.slice(1))}: ${reason}\n`);
  const head = note.length === 0 ? "" : `# Not in this patch, take it with --apply instead:\n${note.join("")}\n`;
  return head + parts.map((part) => ("text" in part ? part.text : "")).join("");
}

/** The changes that `patchText` leaves out. */
export function leftOutOfPatch(diffs: readonly FileDiff[], trees: PatchTrees = {}): LeftOut[] {
  return diffs.map((diff) => partOf(diff, trees)).filter(isLeftOut);
}

function isLeftOut(part: Part): part is LeftOut {
  return "reason" in part;
}

function partOf(diff: FileDiff, { before, after }: PatchTrees): Part {
  const { path, patch, change } = diff;
  const old = change === "create" ? undefined : modeOf(before, path, /^old mode (\d+)$/m.exec(headOf(patch))?.[1]);
  const now = change === "delete" ? undefined : modeOf(after, path, /^new mode (\d+)$/m.exec(headOf(patch))?.[1]);
  const reason = reasonToLeaveOut(diff, old, now);
  if (reason !== undefined) return { path, reason };
  const [left, right] = [quoted(`a${path}`), quoted(`b${path}`)];
  const lines = [`diff --git ${left} ${right}`, ...modeLines(change, old, now)];
  const at = hunksAt(patch);
  // A header without hunks is garbage to git: an empty file has none.
  if (at === -1) return { text: change === "modify" && lines.length === 1 ? "" : `${lines.join("\n")}\n` };
  lines.push(`--- ${change === "create" ? "/dev/null" : left}`, `+++ ${change === "delete" ? "/dev/null" : right}`);
  const hunks = patch.slice(at);
  return { text: `${lines.join("\n")}\n${hunks}${hunks.endsWith("\n") ? "" : "\n"}` };
}

function reasonToLeaveOut({ binary, patch }: FileDiff, old?: string, now?: string): string | undefined {
  if (binary || patch.includes("\0")) return "it is binary";
  if (old !== undefined && now !== undefined && (old === "120000") !== (now === "120000")) {
    return "it became a link, or was one";
  }
  if (patch.startsWith("Too large to compare")) return "it is too large to compare";
  // What the server could not read as UTF-8; the patch would write other bytes.
  if (patch.includes("\ufffd")) return "it is not all UTF-8";
  return undefined;
}

function modeLines(change: FileDiff["change"], old = "100644", now = "100644"): string[] {
  if (change === "create") return [`new file mode ${now}`];
  if (change === "delete") return [`deleted file mode ${old}`];
  return old === now ? [] : [`old mode ${old}`, `new mode ${now}`];
}

/** The mode as git knows it: a link, or a file that is executable or not. */
function modeOf(tree: Base | undefined, path: string, told: string | undefined): string | undefined {
  const entry: BaseEntry | undefined = tree && Object.hasOwn(tree.entries, path) ? tree.entries[path] : undefined;
  if (told === "120000" || entry?.kind === "symlink") return "120000";
  const mode = told === undefined ? entry?.mode : Number.parseInt(told, 8);
  if (mode === undefined) return undefined;
  return mode & 0o100 ? "100755" : "100644";
}

function headOf(patch: string): string {
  const at = hunksAt(patch);
  return at === -1 ? patch : patch.slice(0, at);
}

function hunksAt(patch: string): number {
  return patch.startsWith("@@ ") ? 0 : patch.indexOf("\n@@ ") + 1 || -1;
}

/** A name as git writes it in a patch: in quotes when it would be taken for another. */
function quoted(name: string): string {
  return /[\s"\\\p{Cc}]/u.test(name) ? escaped(name) : name;
}

function printable(name: string): string {
  return /["\\\p{Cc}]/u.test(name) ? escaped(name) : name;
}

function escaped(name: string): string {
  const text = name
    .replace(/["\\]/g, "\\$&")
    .replace(/\p{Cc}/gu, (character) =>
      [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join(""),
    );
  return `"${text}"`;
}
