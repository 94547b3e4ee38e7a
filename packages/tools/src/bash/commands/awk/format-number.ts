import { lengthOf } from "./byte-text.ts";
import { fixed, general, scientific, specialText } from "./decimal-text.ts";

/** A conversion of `printf`. */
export interface Spec {
  readonly flags: string;
  readonly width: number;
  /** -1 for none. */
  readonly precision: number;
  readonly kind: string;
}

/** A number by a conversion. */
export function formatOne(spec: Spec, number: number): string {
  const { flags, kind } = spec;
  if (!Number.isFinite(number)) return padded(specialText(number), { ...spec, flags: flags.replaceAll("0", "") });
  if ("diouxX".includes(kind)) return wholeNumber(spec, number);
  const isNegative = number < 0 || Object.is(number, -0);
  return signed(signOf(isNegative, flags), floating(spec, Math.abs(number)), spec);
}

function floating({ flags, precision, kind }: Spec, size: number): string {
  const digits = precision === -1 ? 6 : precision;
  const letter = kind === "E" || kind === "G" ? "E" : "e";
  switch (kind) {
    case "f":
    case "F":
      return fixed(size, digits) + (flags.includes("#") && digits === 0 ? "." : "");
    case "e":
    case "E":
      if (digits === 0 && flags.includes("#")) return scientific(size, 0, letter).replace(letter, `.${letter}`);
      return scientific(size, digits, letter);
    case "g":
    case "G":
      return general(size, digits, flags.includes("#"), letter);
    default: {
      const text = hexadecimal(size, precision);
      return kind === "A" ? text.toUpperCase() : text;
    }
  }
}

/** As C's `%a`. */
function hexadecimal(size: number, precision: number): string {
  if (size === 0) return `0x0${precision > 0 ? `.${"0".repeat(precision)}` : ""}p+0`;
  let exponent = Math.max(-1022, Math.floor(Math.log2(size)));
  let mantissa = size / 2 ** exponent;
  if (mantissa >= 2) {
    mantissa /= 2;
    exponent++;
  } else if (mantissa < 1 && exponent > -1022) {
    mantissa *= 2;
    exponent--;
  }
  let bits = BigInt(mantissa * 2 ** 52);
  let digits = 13;
  if (precision !== -1 && precision < 13) {
    const cut = 1n << BigInt(4 * (13 - precision));
    const rest = bits % cut;
    bits /= cut;
    if (rest * 2n > cut || (rest * 2n === cut && bits % 2n === 1n)) bits++;
    digits = precision;
  }
  const whole = bits >> BigInt(4 * digits);
  let fraction = digits === 0 ? "" : (bits & ((1n << BigInt(4 * digits)) - 1n)).toString(16).padStart(digits, "0");
  fraction = precision === -1 ? fraction.replace(/0+$/, "") : fraction.padEnd(precision, "0");
  return `0x${whole}${fraction === "" ? "" : `.${fraction}`}p${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
}

const TWO_64 = 18_446_744_073_709_551_616;

function wholeNumber(spec: Spec, number: number): string {
  const { flags, precision, kind } = spec;
  const whole = Math.trunc(number);
  const isSigned = kind === "d" || kind === "i";
  // What fits into no unsigned number is written as a floating one.
  if (!isSigned && (whole >= TWO_64 || whole < -TWO_64 / 2)) return formatOne({ ...spec, kind: "g" }, number);
  const size = isSigned ? BigInt(Math.abs(whole)) : BigInt.asUintN(64, BigInt(whole));
  // GNU's says of what is not 0 before it is cut that it has a base.
  const hasBase = flags.includes("#") && number !== 0 && /[xo]/i.test(kind);
  const prefix = hasBase ? (kind === "o" ? "0" : `0${kind}`) : "";
  const digits = digitsOf(size, spec);
  const sign = isSigned && digits !== "" ? signOf(whole < 0, flags) : "";
  const zeros = precision === -1 ? flags : flags.replaceAll("0", "");
  return signed(sign + prefix, digits, { ...spec, flags: zeros });
}

function digitsOf(size: bigint, { kind, flags, precision }: Spec): string {
  const radix = kind === "o" ? 8 : /x/i.test(kind) ? 16 : 10;
  const isNothing = precision === 0 && size === 0n && !(flags.includes("#") && radix !== 10);
  const digits = isNothing ? "" : size.toString(radix).padStart(precision, "0");
  return kind === "X" ? digits.toUpperCase() : digits;
}

function signOf(isNegative: boolean, flags: string): string {
  if (isNegative) return "-";
  return flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
}

function signed(sign: string, digits: string, spec: Spec): string {
  const isZeros = spec.flags.includes("0") && !spec.flags.includes("-");
  const zeros = isZeros ? Math.max(0, spec.width - sign.length - digits.length) : 0;
  return padded(sign + "0".repeat(zeros) + digits, spec);
}

/** With blanks before or behind it. */
export function padded(text: string, { flags, width }: Spec): string {
  const blanks = " ".repeat(Math.max(0, width - lengthOf(text)));
  return flags.includes("-") ? text + blanks : blanks + text;
}
