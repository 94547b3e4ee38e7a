import { TenrecError } from "@tenrec/protocol";

/** A line of a hunk. */
export interface HunkLine {
  /** Context, gone, or come. */
  readonly sign: " " | "-" | "+";
  /** Without its line end; a CR before it belongs to the text. */
  readonly text: string;
  /** The patch says that the file ends after it, without a line end. */
  readonly noEnd?: boolean;
}

/** A piece of a patch that applies at one place of a file. */
export interface Hunk {
  /** Lines to go past first, each looked for after the one before. */
  readonly anchors: readonly string[];
  readonly lines: readonly HunkLine[];
  /** Its lines are the last ones of the file. */
  readonly atEnd: boolean;
  /** Where a unified diff says that it starts, from 1; with no lines before, the line that it comes after. */
  readonly oldStart?: number;
  /** Its line in the patch, from 1. */
  readonly at: number;
}

/** What a patch does to one file. */
export interface FilePatch {
  /** `set` gives a file its whole content, whether or not there was one; `create` wants that there was none. */
  readonly kind: "set" | "create" | "delete" | "update" | "copy";
  /** As the patch names it. */
  readonly path: string;
  /** Where it moves or is copied to. */
  readonly to?: string;
  readonly hunks: readonly Hunk[];
  /** Permission bits that it gets. */
  readonly mode?: number;
  /** Its content is the target of a symbolic link. */
  readonly isLink?: boolean;
  /** Its line in the patch, from 1. */
  readonly at: number;
}

/** What a patch is made of. */
export interface Patch {
  /** `codex` looks for a hunk from the one before on; `unified` around the line that it names. */
  readonly format: "codex" | "unified";
  readonly files: readonly FilePatch[];
}

export function patchFailed(reason: string): TenrecError<"tool-failed"> {
  return new TenrecError("tool-failed", { tool: "apply_patch", reason });
}

/** A patch that cannot be read; `at` is the line in it, from 1. */
export function malformed(at: number, reason: string): TenrecError<"tool-failed"> {
  return patchFailed(`line ${at} of the patch: ${reason}. Nothing was changed`);
}
