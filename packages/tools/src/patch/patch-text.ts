import type { ChangedLines } from "../edit/diff.ts";
import { changedLines } from "../edit/diff.ts";
import { applyReplacements } from "../edit/apply.ts";
import { nearestLines } from "../edit/hint.ts";
import { linesOf } from "../edit/text-lines.ts";
import type { FilePatch, Patch } from "./file-patch.ts";
import { patchFailed } from "./file-patch.ts";
import { endsAsStated, hunkReplacement } from "./hunk-text.ts";
import type { PatchTarget } from "./patch-target.ts";
import { lenientTarget, literalTarget } from "./patch-target.ts";
import type { Misplaced, Placement } from "./place-hunks.ts";
import { oldLines, placeHunks } from "./place-hunks.ts";
import { LineSeeker } from "./seek-lines.ts";

export interface PatchedText {
  readonly text: string;
  /** Where a hunk fits more than once, or not to the letter; for the model. */
  readonly notes: readonly string[];
  /** What changed, of a text with notes. */
  readonly diff: ChangedLines | undefined;
}

const SHOWN_PLACES = 5;

/** The text with all hunks of a file applied. Throws `tool-failed` when one does not fit. */
export function patchText(text: string, { hunks }: FilePatch, format: Patch["format"], name: string): PatchedText {
  const exact = format === "unified" ? placeLiterally(text, hunks) : undefined;
  const target = exact?.target ?? lenientTarget(text);
  const placements = exact?.placements ?? placeHunks(target, hunks, { format });
  if ("index" in placements) throw patchFailed(misfit(target, placements, hunks.length, name));
  const pieces = placements.map((placement) => hunkReplacement(target, placement));
  const notes = placements.flatMap((placement, index) => notesOn(placement, `hunk ${index + 1} of ${name}`));
  return {
    text: applyReplacements(text, pieces),
    notes,
    diff: notes.length > 0 ? changedLines(linesOf(text), pieces) : undefined,
  };
}

/** As a program that made the patch means it: to the byte, line ends too. Undefined when it does not fit so. */
function placeLiterally(
  text: string,
  hunks: FilePatch["hunks"],
): { readonly target: PatchTarget; readonly placements: readonly Placement[] } | undefined {
  const target = literalTarget(text);
  const placements = placeHunks(target, hunks, { format: "unified", levels: 1 });
  if ("index" in placements || !placements.every((placement) => endsAsStated(target, placement))) return undefined;
  return { target, placements };
}

function notesOn({ line, places, disregarded }: Placement, what: string): string[] {
  const notes: string[] = [];
  if (places.length > 1) {
    const shown = places.slice(0, SHOWN_PLACES).map((place) => place + 1);
    const more = places.length > SHOWN_PLACES ? ", …" : "";
    notes.push(`${what} fits at lines ${shown.join(", ")}${more}; line ${line + 1} was taken.`);
  }
  if (disregarded) notes.push(`${what} fits at line ${line + 1} only without regard to ${disregarded}.`);
  return notes;
}

function misfit(target: PatchTarget, { index, hunk, anchor, from }: Misplaced, count: number, name: string): string {
  const which = `hunk ${index + 1} of ${count} for ${name} (line ${hunk.at} of the patch)`;
  const again = `Read ${name} again and write the hunk from its text; nothing was changed in any file`;
  const lined = linesOf(target.text);
  if (anchor !== undefined) {
    const below = from > 0 ? ` below line ${from}` : "";
    return `${which}: there is no line "${anchor}"${below}.\n${nearestLines(lined, anchor, "the patch")}\n${again}`;
  }
  const old = oldLines(hunk.lines);
  const seeker = new LineSeeker(target);
  const earlier = seeker.seek(old, 0, { levels: 2 })?.places[0];
  if (earlier !== undefined) {
    const rule = hunk.atEnd
      ? "not at the end of the file"
      : "before what the patch has above it; keep the file's order";
    return `${which}: its lines are at line ${earlier + 1}, ${rule}. Nothing was changed in any file`;
  }
  const now = hunk.lines.filter(({ sign }) => sign !== "-").map(({ text }) => text);
  const done = now.length > 1 ? seeker.seek(now, 0, { levels: 2 })?.places[0] : undefined;
  const note = done === undefined ? "" : `\nIts result is there already, at line ${done + 1}.`;
  return `${which} does not fit.${note}\n${nearestLines(lined, old.join("\n"), "the patch")}\n${again}`;
}
