import { TenrecError } from "@tenrec/protocol";
import type { Replacement } from "./apply.ts";
import { nearestLines } from "./hint.ts";
import { mergeText } from "./merge.ts";
import type { NormalizedText } from "./normalize.ts";
import { contentEndOf, normalizeLine, originOf, plainPunctuation, trimBlanks } from "./normalize.ts";
import type { EditTarget, TextEdit } from "./target.ts";
import { lastAtMost, splitWritten } from "./text-lines.ts";

interface Span {
  readonly start: number;
  readonly end: number;
}

const SHOWN_PLACES = 5;

/**
 * Where an edit applies, and what it puts there. Looks for `oldText` as it is; only when that is nowhere, with line ends,
 * trailing blanks and Unicode punctuation made alike. Throws `tool-failed` unless it is found, once or with `replaceAll`.
 */
export function matchEdit(target: EditTarget, edit: TextEdit, label: string, name: string): Replacement[] {
  if (edit.oldText === "") throw failed(`${label} is empty. Give the text to replace; write replaces a whole file`);
  const exact = findAll(target.text, edit.oldText, edit.replaceAll ?? false);
  const spans = exact.length > 0 ? exact : findNormalized(target.normalized(), edit);
  if (spans.length === 0) throw failed(`${label} was not found in ${name}.\n${nearestLines(target, edit.oldText)}`);
  if (spans.length > 1 && !edit.replaceAll) throw failed(ambiguous(target, spans, label, name));
  return spans.map(({ start, end }) => ({
    start,
    end,
    text: mergeText(target, start, end, edit),
    label,
  }));
}

/** Every place of `part`. Places may overlap, so that uniqueness is honest, unless they are to be replaced. */
function findAll(text: string, part: string, apart: boolean): Span[] {
  const spans: Span[] = [];
  let at = text.indexOf(part);
  while (at !== -1) {
    spans.push({ start: at, end: at + part.length });
    at = text.indexOf(part, apart ? at + part.length : at + 1);
  }
  return spans;
}

function findNormalized(normalized: NormalizedText, edit: TextEdit): Span[] {
  const written = splitWritten(edit.oldText);
  const last = plainPunctuation(written.at(-1) ?? "");
  // Trailing blanks of the last line count only where the line ends too: "bar " must not match in "bar baz".
  const toLineEnd = trimBlanks(last) !== last;
  const needle = [...written.slice(0, -1).map(normalizeLine), trimBlanks(last)].join("\n");
  if (needle.trim() === "") return [];
  return findAll(normalized.text, needle, edit.replaceAll ?? false)
    .filter(({ end }) => !toLineEnd || end === normalized.text.length || normalized.text[end] === "\n")
    .map(({ start, end }) => ({
      start: originOf(normalized, start),
      end: toLineEnd ? contentEndOf(normalized, end) : originOf(normalized, end),
    }));
}

function ambiguous(target: EditTarget, spans: readonly Span[], label: string, name: string): string {
  const lines = spans.slice(0, SHOWN_PLACES).map(({ start }) => lastAtMost(target.starts, start) + 1);
  const more = spans.length > SHOWN_PLACES ? ", …" : "";
  return (
    `${label} is in ${name} ${spans.length} times, at lines ${lines.join(", ")}${more}. ` +
    "Add lines around it until it is unique, or set replaceAll"
  );
}

function failed(reason: string): TenrecError<"tool-failed"> {
  return new TenrecError("tool-failed", { tool: "edit", reason });
}
