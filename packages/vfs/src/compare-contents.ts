import { type FileDiff, isBinary } from "@tenrec/protocol";
import { gitPatch, type PatchSides } from "./git-patch.ts";
import { unifiedHunks } from "./unified-patch.ts";

/** A larger file is not compared: its patch says so instead. */
export const MAX_DIFF_BYTES: number = 1024 * 1024;

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** What a diff says of two contents. */
export type ContentDiff = Pick<FileDiff, "binary" | "patch" | "added" | "removed">;

/** The diff of two contents; one that is not there is empty. */
export function compareContents(sides: PatchSides, old: Uint8Array, now: Uint8Array): ContentDiff {
  if (isBinary(old) || isBinary(now)) return { binary: true, patch: gitPatch(sides, "binary"), added: 0, removed: 0 };
  const { text, added, removed } = unifiedHunks(decoder.decode(old), decoder.decode(now));
  return { binary: false, patch: gitPatch(sides, { hunks: text }), added, removed };
}

/** The diff of contents of these sizes, one of which is above `MAX_DIFF_BYTES`. */
export function tooLarge(before: number, after: number): ContentDiff {
  const patch = `Too large to compare: ${before} bytes before, ${after} after\n`;
  return { binary: false, patch, added: 0, removed: 0 };
}
