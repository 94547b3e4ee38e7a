import { type FileDiff, type GitDiffForm, isBinary } from "@tenrec/protocol";
import { gitPatch, type PatchSides } from "./git-patch.ts";
import { unifiedHunks } from "./unified-patch.ts";

/** A larger file is not compared: its patch says so instead. */
export const MAX_DIFF_BYTES: number = 1024 * 1024;

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** What a diff says of two contents. */
export type ContentDiff = Pick<FileDiff, "binary" | "patch" | "added" | "removed">;

/** The diff of two contents; one that is not there is empty. */
export function compareContents(
  sides: PatchSides,
  [old, now]: readonly [Uint8Array, Uint8Array],
  form: GitDiffForm = {},
): ContentDiff {
  if (isBinary(old) || isBinary(now)) return { binary: true, patch: gitPatch(sides, "binary"), added: 0, removed: 0 };
  const { text, added, removed } = unifiedHunks(decoder.decode(old), decoder.decode(now), form);
  const patch = gitPatch(sides, { hunks: text });
  // Nothing is left of a header that has neither hunks nor a mode below it.
  const isNothing = form.ignoreSpace !== undefined && text === "" && patch.indexOf("\n") === patch.length - 1;
  return { binary: false, patch: isNothing ? "" : patch, added, removed };
}

/** The diff of contents of these sizes, one of which is above `MAX_DIFF_BYTES`. */
export function tooLarge(before: number, after: number): ContentDiff {
  const patch = `Too large to compare: ${before} bytes before, ${after} after\n`;
  return { binary: false, patch, added: 0, removed: 0 };
}
