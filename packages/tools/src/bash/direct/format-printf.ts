import { LETTER_ESCAPES } from "../commands/letter-escapes.ts";
import { MAX_STRING_LENGTH } from "../limits.ts";
import { overLimit } from "./endings.ts";
import { sizeOf } from "./output-text.ts";
import { checkLength } from "./variables.ts";

/** What a format consists of: text, or a conversion of an argument. */
type Piece = string | Conversion;

interface Conversion {
  readonly flags: string;
  /** `*` takes it from the arguments. */
  readonly width: string;
  readonly precision: string | undefined;
  readonly letter: string;
}

const ESCAPES: Readonly<Record<string, string>> = { ...LETTER_ESCAPES, '"': '"' };

const TOKEN = /(%%)|%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d*))?([sdiuxXo])|\\([ntrabfv\\"])|(\\e|\\033)|\\0(?![0-7])|[^%\\]+/y;

/** The pieces of a format, unless there is something in it that is left to just-bash. */
export function parseFormat(format: string): readonly Piece[] | undefined {
  const pieces: Piece[] = [];
  for (let at = 0; at < format.length;) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(format);
    if (!match) return undefined;
    const piece = pieceOf(match);
    if (piece === undefined) return undefined;
    pieces.push(piece);
    at += match[0].length;
  }
  return pieces;
}

function pieceOf(match: readonly string[]): Piece | undefined {
  const [all = "", percent, flags = "", width = "", precision, letter, escape, ansi] = match;
  if (letter !== undefined) {
    const isLikely = width.length <= MAX_DIGITS && (precision ?? "").length <= MAX_DIGITS;
    return isLikely ? { flags, width, precision, letter } : undefined;
  }
  if (percent !== undefined) return "%";
  if (ansi !== undefined) return "\x1B";
  if (escape !== undefined) return ESCAPES[escape] ?? "";
  return all.startsWith("\\") ? "\0" : all;
}

/** A width that is wider than it is likely to be meant is left to just-bash. */
const MAX_DIGITS = 4;

export interface Formatted {
  readonly text: string;
  /** Arguments that are no numbers where they must be. */
  readonly problems: readonly string[];
}

/** The text of all arguments: the format counts again for what is left. */
export function formatPrintf(pieces: readonly Piece[], args: readonly string[]): Formatted {
  const run: Formatting = { args, at: 0, problems: [] };
  const texts: string[] = [];
  let length = 0;
  do {
    const before = run.at;
    for (const piece of pieces) {
      const text = typeof piece === "string" ? piece : convert(piece, run);
      length += text.length;
      checkLength(length);
      texts.push(text);
    }
    if (run.at === before) break;
  } while (run.at < args.length);
  return { text: texts.join(""), problems: run.problems };
}

interface Formatting {
  readonly args: readonly string[];
  at: number;
  readonly problems: string[];
}

function convert(conversion: Conversion, run: Formatting): string {
  let { flags } = conversion;
  let width = size(conversion.width, run) ?? 0;
  if (width < 0) {
    flags += "-";
    width = -width;
  }
  const precision = conversion.precision === "" ? 0 : size(conversion.precision ?? "", run);
  const arg = run.args[run.at++];
  const text = valueText({ ...conversion, flags }, arg, precision, run);
  // Bytes are counted, not characters.
  width -= sizeOf(text) - text.length;
  if (flags.includes("-")) return text.padEnd(width);
  if (!flags.includes("0") || conversion.letter === "s" || precision !== undefined) return text.padStart(width);
  const [sign = ""] = /^([-+ ]?0[xX]|[-+ ])?/.exec(text) ?? [];
  return sign + text.slice(sign.length).padStart(width - sign.length, "0");
}

function size(text: string, run: Formatting): number | undefined {
  if (text === "") return undefined;
  const value = text === "*" ? Number(integer(run.args[run.at++] ?? "0", run)) : Number(text);
  if (Math.abs(value) > MAX_STRING_LENGTH)
    throw overLimit(`printf: format width limit exceeded (${MAX_STRING_LENGTH} bytes)`);
  return value;
}

function valueText(
  { flags, letter }: Conversion,
  arg: string | undefined,
  precision: number | undefined,
  run: Formatting,
): string {
  if (letter === "s") return firstBytes(arg, precision);
  const value = integer(arg ?? "0", run);
  const isSigned = letter === "d" || letter === "i";
  const amount = BigInt.asUintN(64, isSigned && value < 0n ? -value : value);
  const digits = amount === 0n && precision === 0 ? "" : amount.toString(BASES[letter] ?? 10);
  const shown = (letter === "X" ? digits.toUpperCase() : digits).padStart(precision ?? 0, "0");
  return (isSigned ? signOf(value, flags) : prefixOf(amount, letter, flags)) + shown;
}

function firstBytes(text = "", count?: number): string {
  if (count === undefined || sizeOf(text) <= count) return text;
  const bytes = new TextEncoder().encode(text).subarray(0, count);
  // Of a character that does not fit, nothing is printed.
  return new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes, { stream: true });
}

const BASES: Readonly<Record<string, number>> = { o: 8, x: 16, X: 16 };

function signOf(value: bigint, flags: string): string {
  if (value < 0n) return "-";
  return flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
}

function prefixOf(amount: bigint, letter: string, flags: string): string {
  if (!flags.includes("#") || amount === 0n || letter === "u") return "";
  return letter === "o" ? "0" : `0${letter}`;
}

const MAX_INTEGER = 2n ** 63n - 1n;

function integer(text: string, run: Formatting): bigint {
  const character = /^["']([^]*)/.exec(text)?.[1];
  if (character !== undefined) return BigInt(character.codePointAt(0) ?? 0);
  const [whole = "", sign = "", digits = ""] = /^\s*([-+]?)(0[xX][\da-fA-F]+|0[0-7]*|[1-9]\d*)/.exec(text) ?? [];
  // An empty one is 0.
  if (whole.length !== text.length)
    run.problems.push(`${text}: invalid ${/^\s*[-+]?0\d/.test(text) ? "octal " : ""}number`);
  const amount = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits);
  return inRange(sign === "-" ? -amount : amount);
}

function inRange(value: bigint): bigint {
  if (value > MAX_INTEGER) return MAX_INTEGER;
  return value < -MAX_INTEGER - 1n ? -MAX_INTEGER - 1n : value;
}
