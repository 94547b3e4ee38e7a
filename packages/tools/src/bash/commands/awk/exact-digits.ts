/** A number's digits, all of them: `0.DIGITS` times ten to the power of `point`. Empty for 0. */
export interface Digits {
  readonly digits: string;
  readonly point: number;
}

/** Of a finite number, without its sign. Every double is a finite decimal. */
export function exactDigits(number: number): Digits {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(number));
  const high = view.getUint32(0);
  const exponent = (high >>> 20) & 0x7ff;
  const fraction = (BigInt(high & 0xfffff) << 32n) | BigInt(view.getUint32(4));
  const mantissa = exponent === 0 ? fraction : fraction | (1n << 52n);
  const power = Math.max(exponent, 1) - 1075;
  if (mantissa === 0n) return { digits: "", point: 0 };
  const whole = power >= 0 ? mantissa << BigInt(power) : mantissa * 5n ** BigInt(-power);
  const text = whole.toString();
  return { digits: text.replace(/0+$/, ""), point: text.length + Math.min(power, 0) };
}

/** Rounded to so many digits, a half to the even one, as C does. */
export function rounded({ digits, point }: Digits, count: number): Digits {
  if (count < 0) return { digits: "", point };
  if (digits.length <= count) return { digits, point };
  const kept = digits.slice(0, count);
  const rest = digits.slice(count);
  const isHalf = rest === "5";
  const isUp = isHalf ? Number(kept.at(-1) ?? "0") % 2 === 1 : rest >= "5";
  if (!isUp) return { digits: kept, point };
  const up = (BigInt(kept || "0") + 1n).toString().padStart(count, "0");
  // A nine that was the first one makes the number longer.
  return up.length > count ? { digits: up, point: point + 1 } : { digits: up, point };
}
