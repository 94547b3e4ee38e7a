import type { FileDiff } from "@tenrec/protocol";

/** A change that a text patch cannot carry. */
export interface LeftOut {
  readonly path: string;
  readonly reason: string;
}

/**
 * A patch that `git apply` takes in the folder that was imported; empty for no change. What it cannot carry is listed at
 * its top, in lines that `git apply` passes over; when nothing else is left, `git apply` finds no patch in it.
 */
export function patchText(diffs: readonly FileDiff[]): string {
  const note = leftOutOfPatch(diffs).map(({ path, reason }) => `#   ${printable(path.slice(1))}: ${reason}\n`);
  const head = note.length === 0 ? "" : `# Not in this patch, take it with --apply instead:\n${note.join("")}\n`;
  const carried = diffs.filter((diff) => reasonToLeaveOut(diff) === undefined);
  return head + carried.map(({ patch }) => patch).join("");
}

/** The changes that `patchText` leaves out. */
export function leftOutOfPatch(diffs: readonly FileDiff[]): LeftOut[] {
  return diffs.flatMap((diff) => {
    const reason = reasonToLeaveOut(diff);
    return reason === undefined ? [] : [{ path: diff.path, reason }];
  });
}

function reasonToLeaveOut({ binary, patch }: FileDiff): string | undefined {
  if (binary || patch.includes("\0")) return "it is binary";
  if (patch.startsWith("Too large to compare")) return "it is too large to compare";
  // What the server could not read as UTF-8; the patch would write other bytes.
  if (patch.includes("\ufffd")) return "it is not all UTF-8";
  return undefined;
}

function printable(name: string): string {
  if (!/["\\\p{Cc}]/u.test(name)) return name;
  const text = name
    .replace(/["\\]/g, "\\$&")
    .replace(/\p{Cc}/gu, (character) =>
      [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join(""),
    );
  return `"${text}"`;
}
