import { AwkError } from "./awk-error.ts";

/** Bits that a number has for these. */
const BITS = 53n;

/** `and`, `or`, `xor`, `lshift`, `rshift` and `compl` of numbers that are whole, and not negative. */
export function bitFunction(name: string, numbers: readonly number[]): number {
  const whole = numbers.map((number) => {
    if (number < 0) throw new AwkError(`fatal: ${name}: negative value is not allowed`);
    return Number.isFinite(number) ? BigInt(Math.trunc(number)) : 0n;
  });
  const [first = 0n, second = 0n] = whole;
  switch (name) {
    case "and":
      return Number(whole.reduce((all, each) => all & each));
    case "or":
      return Number(whole.reduce((all, each) => all | each));
    case "xor":
      return Number(whole.reduce((all, each) => all ^ each));
    case "lshift":
      return shifted(second, (by) => BigInt.asUintN(64, first << by));
    case "rshift":
      return shifted(second, (by) => first >> by);
    default:
      return Number(BigInt.asUintN(Number(BITS), ~first));
  }
}

function shifted(by: bigint, shift: (by: bigint) => bigint): number {
  return by >= 64n ? 0 : Number(shift(by));
}
