import { AwkError } from "./awk-error.ts";
import { checkLength, lengthOf } from "./byte-text.ts";
import { formatOne, padded, type Spec } from "./format-number.ts";
import type { Format } from "./parse-format.ts";
import { type Cell, comparable, numberOf, textOf } from "./values.ts";

export interface FormatOptions {
  /** Whether missing arguments are an error. */
  readonly isStrict: boolean;
  /** `CONVFMT`. */
  readonly convert: string;
}

/** As `printf` does. */
export function fillFormat(
  { source, parts }: Format,
  args: readonly Cell[],
  { isStrict, convert }: FormatOptions,
): string {
  let out = "";
  let next = 0;
  const take = (position: string): Cell => {
    const at = position === "" ? next++ : Number(position) - 1;
    if (at < args.length && at >= 0) return args[at];
    if (isStrict) throw new AwkError(`fatal: not enough arguments to satisfy format string\n\t\`${source}'`);
    return undefined;
  };
  const amount = (size: string): number =>
    size.startsWith("*") ? Math.trunc(numberOf(take(size.slice(1, -1)))) : Number(size);
  for (const part of parts) {
    if (typeof part === "string") {
      out += part;
      continue;
    }
    const { position, kind, dot } = part;
    const width = part.width === "" ? 0 : amount(part.width);
    const precision = dot === undefined ? -1 : dot === "" ? 0 : amount(dot);
    const flags = width < 0 ? `-${part.flags}` : part.flags;
    checkLength(Math.max(Math.abs(width), precision));
    out += convertOne({ flags, width: Math.abs(width), precision, kind }, take(position), convert);
    checkLength(out.length);
  }
  return out;
}

function convertOne(spec: Spec, value: Cell, convert: string): string {
  switch (spec.kind) {
    case "c":
      return padded(characterOf(value), { ...spec, flags: spec.flags.replaceAll("0", "") });
    case "s": {
      const text = textOf(value, convert);
      const short =
        spec.precision === -1 || lengthOf(text) <= spec.precision
          ? text
          : Array.from(text).slice(0, spec.precision).join("");
      return padded(short, { ...spec, flags: spec.flags.replaceAll("0", "") });
    }
    default:
      return formatOne(spec, numberOf(value));
  }
}

function characterOf(value: Cell): string {
  const number = value === undefined ? undefined : comparable(value);
  if (number === undefined) {
    const text = textOf(value, "%.6g");
    return text === "" ? "\0" : String.fromCodePoint(text.codePointAt(0) ?? 0);
  }
  const code = Math.trunc(number);
  if (code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000)) return String.fromCodePoint(code);
  // A byte of it, as what is no character.
  const byte = Number(BigInt.asUintN(8, BigInt(Number.isFinite(code) ? code : 0)));
  return byte < 0x80 ? String.fromCharCode(byte) : String.fromCharCode(0xdc00 + byte);
}
