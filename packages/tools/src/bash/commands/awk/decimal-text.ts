import { exactDigits, rounded } from "./exact-digits.ts";

/** Of a whole number, with all of its digits. */
export function wholeText(number: number): string {
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return `${number}`;
  return BigInt(number).toString();
}

/** Of what is not finite; always with a sign. */
export function specialText(number: number): string {
  if (Number.isNaN(number)) return "-nan";
  return number > 0 ? "+inf" : "-inf";
}

/** As C's `%f`, without a sign. */
export function fixed(number: number, precision: number): string {
  const size = Math.abs(number);
  // No half that has to be rounded to the even digit, and within what the language can do by itself.
  if (precision <= 15 && size < 1e15 && !Number.isInteger(size * 2 * 10 ** precision)) return size.toFixed(precision);
  if (Number.isSafeInteger(number)) return precision > 0 ? `${size}.${"0".repeat(precision)}` : `${size}`;
  const exact = exactDigits(size);
  const { digits, point } = rounded(exact, exact.point + precision);
  const whole = point <= 0 ? "" : digits.slice(0, point).padEnd(point, "0");
  const rest = point <= 0 ? "0".repeat(-point) + digits : digits.slice(point);
  return (whole || "0") + (precision > 0 ? `.${rest.padEnd(precision, "0").slice(0, precision)}` : "");
}

/** As C's `%e`, without a sign. */
export function scientific(number: number, precision: number, letter: string): string {
  const { digits, point } = significant(number, precision + 1);
  const all = digits.padEnd(precision + 1, "0");
  const exponent = digits === "" ? 0 : point - 1;
  const fraction = precision > 0 ? `.${all.slice(1)}` : "";
  const sign = exponent < 0 ? "-" : "+";
  return `${all.charAt(0)}${fraction}${letter}${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** As C's `%g`, without a sign unless `number` is for a text. */
export function general(number: number, precision: number, keepsZeros: boolean, letter: string): string {
  const most = precision === 0 ? 1 : precision;
  const { digits, point } = significant(number, most);
  const exponent = digits === "" ? 0 : point - 1;
  const isScientific = exponent < -4 || exponent >= most;
  const text = isScientific ? scientific(number, most - 1, letter) : fixed(number, Math.max(0, most - 1 - exponent));
  const [mantissa = "", power = ""] = text.split(letter);
  const behind = power === "" ? "" : letter + power;
  const dotted = mantissa.includes(".") || !keepsZeros ? mantissa : `${mantissa}.`;
  const short = (keepsZeros || !mantissa.includes(".") ? dotted : mantissa.replace(/\.?0+$/, "")) + behind;
  return number < 0 ? `-${short}` : short;
}

/** Rounded to so many significant digits. */
function significant(number: number, count: number): { readonly digits: string; readonly point: number } {
  if (count <= 15 && number !== 0) {
    const [mantissa = "", exponent = "0"] = Math.abs(number).toExponential().split("e");
    const shortest = mantissa.replace(".", "");
    // The language rounds a half up; one can only be where the shortest digits show it.
    if (!(shortest.length === count + 1 && shortest.endsWith("5"))) {
      const [own = "", power = exponent] = Math.abs(number)
        .toExponential(count - 1)
        .split("e");
      return { digits: own.replace(".", "").replace(/0+$/, ""), point: Number(power) + 1 };
    }
  }
  const { digits, point } = rounded(exactDigits(number), count);
  return { digits: digits.replace(/0+$/, ""), point };
}
