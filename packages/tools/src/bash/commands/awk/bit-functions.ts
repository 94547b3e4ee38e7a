import { AwkError } from "./awk-error.ts";

/** Bits that a number can have, from the lowest one that is set on. */
const BITS = 53;

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
      return exact(BigInt.asUintN(64, ~first));
  }
}

/** Without the highest bits, where a number has not room for all. */
function exact(bits: bigint): number {
  let lowest = 0;
  while (lowest < 64 && ((bits >> BigInt(lowest)) & 1n) === 0n) lowest++;
  return Number(BigInt.asUintN(BITS + lowest, bits));
}

function shifted(by: bigint, shift: (by: bigint) => bigint): number {
  return by >= 64n ? 0 : exact(shift(by));
}
