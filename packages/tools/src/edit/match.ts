import { TenrecError } from "@tenrec/protocol";
import type { Replacement } from "./apply.ts";
import { nearestLines } from "./hint.ts";
import { mergeOf } from "./merge.ts";
import type { NormalizedText } from "./normalize.ts";
import { contentEndOf, normalizeLine, originOf, plainPunctuation, trimBlanks } from "./normalize.ts";
import type { EditTarget, TextEdit } from "./target.ts";
import { lastAtMost, splitWritten } from "./text-lines.ts";

interface Span {
  readonly start: number;
  readonly end: number;
}

const SHOWN_PLACES = 5;
/** Of text that must be unique, no more places than this are counted. */
const MAX_COUNTED = 1000;

/**
 * Where an edit applies, and what it puts there. Looks for `oldText` as it is; only when that is nowhere, with line ends,
 * trailing blanks and Unicode punctuation made alike. Throws `tool-failed` unless it is found, once or with `replaceAll`.
 */
export function matchEdit(target: EditTarget, edit: TextEdit, label: string, name: string): Replacement[] {
  if (edit.oldText === "") throw failed(`${label} is empty. Give the text to replace; write replaces a whole file`);
  const found = findExact(target, edit);
  const exact = found.length > 0;
  const spans = exact ? found : findNormalized(target.normalized(), edit);
  if (spans.length === 0) throw failed(`${label} was not found in ${name}.\n${nearestLines(target, edit.oldText)}`);
  if (spans.length > 1 && !edit.replaceAll) throw failed(ambiguous(target, spans, label, name));
  // Within a line there is nothing of the file to be kept.
  const isPlain = exact && !/[\r\n]/.test(edit.oldText + edit.newText);
  const merge = isPlain ? () => edit.newText : mergeOf(edit);
  return spans.map(({ start, end }) => ({ start, end, text: merge(target, start, end), label }));
}

/** Every place of `part`. Places may overlap, so that uniqueness is honest, unless they are to be replaced. */
function* places(text: string, part: string, apart: boolean): Generator<Span> {
  let at = text.indexOf(part);
  while (at !== -1) {
    yield { start: at, end: at + part.length };
    at = text.indexOf(part, apart ? at + part.length : at + 1);
  }
}

function collect(spans: Iterable<Span>, { replaceAll }: TextEdit): Span[] {
  const found: Span[] = [];
  for (const span of spans) {
    found.push(span);
    if (!replaceAll && found.length === MAX_COUNTED) break;
  }
  return found;
}

function findExact({ text, breakChar }: EditTarget, edit: TextEdit): Span[] {
  return collect(places(text, edit.oldText, edit.replaceAll ?? false), edit).map(({ start, end }) => {
    // The LF that it begins with may be the second half of a line end.
    const splits = breakChar === "\n" && text[start] === "\n" && text[start - 1] === "\r";
    return { start: splits ? start - 1 : start, end };
  });
}

function findNormalized(normalized: NormalizedText, edit: TextEdit): Span[] {
  const written = splitWritten(edit.oldText);
  const [first = "", last = ""] = [written[0], written.at(-1)].map((line) => plainPunctuation(line ?? ""));
  // Trailing blanks of the last line count only where the line ends too: "bar " must not match in "bar baz".
  const toLineEnd = trimBlanks(last) !== last;
  // So do those of a first line that has nothing else: without them it would be the end of any line.
  const isBlankLine = written.length > 1 && trimBlanks(first) === "";
  const needle = [...written.slice(0, -1).map(normalizeLine), trimBlanks(last)].join("\n");
  if (needle.trim() === "") return [];
  const { text } = normalized;
  function* fitting(): Generator<Span> {
    for (const span of places(text, needle, edit.replaceAll ?? false)) {
      const { start, end } = span;
      const startFits = !isBlankLine || first === "" || start === 0 || text[start - 1] === "\n";
      const endFits = !toLineEnd || end === text.length || text[end] === "\n";
      if (startFits && endFits) yield span;
    }
  }
  return collect(fitting(), edit).map(({ start, end }) => ({
    start: isBlankLine && first === "" ? contentEndOf(normalized, start) : originOf(normalized, start),
    end: toLineEnd ? contentEndOf(normalized, end) : originOf(normalized, end),
  }));
}

function ambiguous(target: EditTarget, spans: readonly Span[], label: string, name: string): string {
  const places = spans.slice(0, SHOWN_PLACES).map(({ start }) => lastAtMost(target.starts, start) + 1);
  const lines = [...new Set(places)];
  const more = spans.length > SHOWN_PLACES ? ", …" : "";
  const count = spans.length === MAX_COUNTED ? `at least ${MAX_COUNTED}` : spans.length;
  return (
    `${label} is in ${name} ${count} times, at lines ${lines.join(", ")}${more}. ` +
    "Add lines around it until it is unique, or set replaceAll"
  );
}

function failed(reason: string): TenrecError<"tool-failed"> {
  return new TenrecError("tool-failed", { tool: "edit", reason });
}
