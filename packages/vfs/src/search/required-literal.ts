// Escapes that stand for a class, an anchor or a control character: they end a run of plain text and take no argument.
const SIMPLE_ESCAPES = "dDwWsSbBAznrtfv";

/** A piece of a pattern: a character that stands for itself, or anything else. */
interface Piece {
  readonly plain?: string;
  /** Where it ends, its repetition not included. */
  readonly end: number;
}

/**
 * Text that every match of a regular expression contains, the longest that is easily found; `undefined` when there is
 * none, or when the expression uses anything that is not understood here. Only what is certain counts.
 */
export function requiredLiteral(pattern: string): string | undefined {
  const runs: string[] = [];
  let run = "";
  const endRun = (): void => {
    runs.push(run);
    run = "";
  };
  for (let index = 0; index < pattern.length;) {
    const piece = readPiece(pattern, index);
    if (piece === undefined) return undefined;
    const repeat = readRepeat(pattern, piece.end);
    index = piece.end + repeat.length;
    if (piece.plain === undefined || repeat.optional) {
      endRun();
      continue;
    }
    run += piece.plain;
    if (repeat.length > 0) endRun();
  }
  endRun();
  return runs.reduce((best, text) => (text.length > best.length ? text : best)) || undefined;
}

/** `undefined` for what makes nothing certain: an alternative, a flag, an escape with an argument. */
function readPiece(pattern: string, index: number): Piece | undefined {
  const char = pattern.charAt(index);
  switch (char) {
    case "|":
      return undefined;
    case "(":
      return toPiece(skipGroup(pattern, index));
    case "[":
      return toPiece(skipClass(pattern, index));
    case "\\":
      return readEscape(pattern.charAt(index + 1), index + 2);
    case ".":
    case "^":
    case "$":
      return { end: index + 1 };
    default:
      return { plain: char, end: index + 1 };
  }
}

function readEscape(char: string, end: number): Piece | undefined {
  if (!isAlphanumeric(char)) return char === "" ? undefined : { plain: char, end };
  return SIMPLE_ESCAPES.includes(char) ? { end } : undefined;
}

function toPiece(end: number | undefined): Piece | undefined {
  return end === undefined ? undefined : { end };
}

function isAlphanumeric(char: string): boolean {
  return /^[A-Za-z0-9]$/.test(char);
}

/** A repetition at this place; an optional one may match nothing. */
function readRepeat(pattern: string, index: number): { length: number; optional: boolean } {
  const [text] = /^(?:[*+?]|\{\d+(?:,\d*)?\})*\??/.exec(pattern.slice(index, index + 40)) ?? [""];
  return { length: text.length, optional: text !== "" && !/^\+\??$/.test(text) };
}

function skipClass(pattern: string, start: number): number | undefined {
  let index = start + 1;
  if (pattern.charAt(index) === "^") index++;
  // A bracket in first place is plain.
  if (pattern.charAt(index) === "]") index++;
  for (; index < pattern.length; index++) {
    const char = pattern.charAt(index);
    if (char === "\\") index++;
    else if (char === "[" && pattern.charAt(index + 1) === ":") {
      const close = pattern.indexOf(":]", index + 2);
      if (close === -1) return undefined;
      index = close + 1;
    } else if (char === "]") return index + 1;
  }
  return undefined;
}

function skipGroup(pattern: string, start: number): number | undefined {
  // A group of flags changes what follows it.
  if (/^\(\?[a-zA-Z-]*[)i]/.test(pattern.slice(start, start + 12)) && !pattern.startsWith("(?:", start))
    return undefined;
  for (let index = start + 1; index < pattern.length;) {
    const char = pattern.charAt(index);
    if (char === ")") return index + 1;
    if (char === "\\") {
      if (pattern.charAt(index + 1) === "Q") return undefined;
      index += 2;
      continue;
    }
    const after = char === "(" ? skipGroup(pattern, index) : char === "[" ? skipClass(pattern, index) : index + 1;
    if (after === undefined) return undefined;
    index = after;
  }
  return undefined;
}
