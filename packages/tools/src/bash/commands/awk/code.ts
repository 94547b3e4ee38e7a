import { formatNumber } from "./number-text.ts";
import { type Cell, isTrue, numberOf, textOf } from "./values.ts";
import type { Variables } from "./variables.ts";

/** An expression that is ready to be computed, as what is needed of it. */
export interface Code {
  readonly value: () => Cell;
  readonly number: () => number;
  readonly text: () => string;
  readonly truth: () => boolean;
  /** As `print` has it, which has a format of its own for numbers. */
  readonly printed: () => string;
}

export function numberCode(number: () => number, variables: Variables): Code {
  return {
    value: number,
    number,
    text: () => formatNumber(number(), variables.numberFormat),
    truth: () => number() !== 0,
    printed: () => formatNumber(number(), variables.outputFormat),
  };
}

export function testCode(truth: () => boolean): Code {
  const number = (): number => (truth() ? 1 : 0);
  const text = (): string => (truth() ? "1" : "0");
  return { value: number, number, text, truth, printed: text };
}

export function textCode(text: () => string): Code {
  return { value: text, number: () => numberOf(text()), text, truth: () => text() !== "", printed: text };
}

export function valueCode(value: () => Cell, variables: Variables): Code {
  return {
    value,
    number: () => numberOf(value()),
    text: () => textOf(value(), variables.numberFormat),
    truth: () => isTrue(value()),
    printed: () => textOf(value(), variables.outputFormat),
  };
}
