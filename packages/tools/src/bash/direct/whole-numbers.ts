import { discardLine, endUnset } from "./endings.ts";
import type { Shell } from "./shell-state.ts";
import { isPlainName, valueOf } from "./variables.ts";

/** As a number of 64 bits. */
export const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);
export const truth = (value: boolean): bigint => (value ? 1n : 0n);

/** What a variable stands for: a number, or the name of another variable. */
export function numberOf(shell: Shell, name: string, depth = 0): bigint {
  const value = valueOf(shell, name);
  if (value === undefined && shell.options.nounset) throw endUnset(shell, `${name}: unbound variable`);
  return numberIn(shell, value ?? "", depth);
}

const MAX_NAMES = 20;

/** The number that a text is, or that the variable of this name stands for. */
export function numberIn(shell: Shell, given: string, depth = 0): bigint {
  const text = given.trim();
  if (text === "") return 0n;
  if (isPlainName(text)) {
    if (depth <= MAX_NAMES) return numberOf(shell, text, depth + 1);
    throw discardLine(shell, `${text}: expression recursion level exceeded (error token is "${text}")`);
  }
  const [, sign = "", digits = ""] = /^([-+]?)((?:0[xX])?[\da-fA-F]+)$/.exec(text) ?? [];
  if (/^0[0-7]*$/.test(digits)) return signed(sign, BigInt(`0o${digits}`));
  if (/^[1-9]\d*$/.test(digits) || /^0x/i.test(digits)) return signed(sign, BigInt(digits));
  if (/^\d+$/.test(digits)) throw discardLine(shell, `${text}: value too great for base (error token is "${digits}")`);
  throw discardLine(
    shell,
    `"${text.slice(0, MAX_SHOWN)}" is no number; calculate it with $(( )) before it is used in one`,
  );
}

const MAX_SHOWN = 100;

function signed(sign: string, value: bigint): bigint {
  return wrap(sign === "-" ? -value : value);
}
