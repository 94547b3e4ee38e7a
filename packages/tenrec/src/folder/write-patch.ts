import type { FileDiff } from "@tenrec/protocol";
import { type LeftOut, leftOutOfPatch, patchText } from "./patch-text.ts";
import { writeWholeFile } from "./write-whole-file.ts";

export interface WritePatchOptions {
  /** Where "-" goes. */
  readonly stdout: NodeJS.WritableStream;
}

/** What was written, for the line that tells of it. */
export interface WrittenPatch {
  /** Files in the patch. */
  readonly files: number;
  readonly leftOut: readonly LeftOut[];
}

/** Writes `patchText` to a file in one step, or to `stdout` for "-"; resolves when it is all handed over. */
export async function writePatch(
  file: string,
  diffs: readonly FileDiff[],
  { stdout }: WritePatchOptions,
): Promise<WrittenPatch> {
  const text = patchText(diffs);
  if (file !== "-") await writeWholeFile(file, text);
  else {
    await new Promise<void>((resolve, reject) => {
      stdout.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }
  const leftOut = leftOutOfPatch(diffs);
  return { files: diffs.length - leftOut.length, leftOut };
}
