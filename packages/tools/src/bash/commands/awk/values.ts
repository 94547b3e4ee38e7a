import { AwkArray } from "./awk-array.ts";
import { AwkError } from "./awk-error.ts";
import { formatNumber } from "./number-text.ts";

/** What came from outside, as a field: a number if it looks like one. */
export class UserText {
  readonly text: string;
  #number: number | undefined;
  #isKnown = false;

  constructor(text: string) {
    this.text = text;
  }

  /** Undefined where it does not look like one. */
  get number(): number | undefined {
    if (!this.#isKnown) {
      this.#isKnown = true;
      if (this.text.length <= LONGEST && LOOKS_NUMERIC.test(this.text)) this.#number = toNumber(this.text);
    }
    return this.#number;
  }
}

/** Undefined for what has no value yet, which is both `""` and 0. */
type Value = number | string | UserText | undefined;

/** What a variable or an element can be. */
export type Cell = Value | AwkArray;

const LOOKS_NUMERIC = /^[ \t\n\r\f\v]*(?:[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+](?:inf|nan))[ \t\n\r\f\v]*$/i;
const LEADING_NUMBER = /^[ \t\n\r\f\v]*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/;
const LEADING_SPECIAL = /^[ \t\n\r\f\v]*([-+])(inf|nan)(?![\w.])/i;
/** Longer texts look like no number, and only so much of them is one. */
const LONGEST = 5000;
const SHORT_INTEGER = /^\d{1,15}$/;

/** The number at the beginning of a text, 0 without one. */
export function toNumber(text: string): number {
  if (text.length > LONGEST) return toNumber(text.slice(0, LONGEST));
  if (SHORT_INTEGER.test(text)) return Number(text);
  const [, digits] = LEADING_NUMBER.exec(text) ?? [];
  if (digits !== undefined) return Number(digits);
  const [, sign, name = ""] = LEADING_SPECIAL.exec(text) ?? [];
  if (sign === undefined) return 0;
  if (name.toLowerCase() === "nan") return Number.NaN;
  return sign === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

export function numberOf(value: Cell): number {
  if (typeof value === "number") return value;
  if (typeof value === "string") return toNumber(value);
  if (value === undefined) return 0;
  return scalar(value).number ?? toNumber((value as UserText).text);
}

/** `format` is for numbers that are not whole. */
export function textOf(value: Cell, format: string): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return formatNumber(value, format);
  return value === undefined ? "" : scalar(value).text;
}

export function isTrue(value: Cell): boolean {
  if (typeof value === "number") return value !== 0;
  if (typeof value === "string") return value !== "";
  if (value === undefined) return false;
  const { number, text } = scalar(value);
  return number === undefined ? text !== "" : number !== 0;
}

function scalar(value: UserText | AwkArray): UserText {
  if (value instanceof AwkArray) throw new AwkError("fatal: attempt to use an array in a scalar context");
  return value;
}

/** The number that a value counts as in a comparison; undefined where it is a text. */
export function comparable(value: Cell): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "string") return undefined;
  return value === undefined ? 0 : scalar(value).number;
}

/** Below 0, 0 or above it: as numbers if both look like some, else as texts. */
export function compareValues(left: Cell, right: Cell, format: string, ignoreCase: boolean): number {
  const first = comparable(left);
  const second = first === undefined ? undefined : comparable(right);
  if (first !== undefined && second !== undefined) return compareNumbers(first, second);
  return compareTexts(textOf(left, format), textOf(right, format), ignoreCase);
}

/** What is no number comes behind all others. */
export function compareNumbers(left: number, right: number): number {
  if (left === right) return 0;
  if (Number.isNaN(left)) return Number.isNaN(right) ? 0 : 1;
  return Number.isNaN(right) || left < right ? -1 : 1;
}

/** By characters, not by halves of them. */
export function compareTexts(left: string, right: string, ignoreCase = false): number {
  if (ignoreCase) return compareTexts(left.toLowerCase(), right.toLowerCase());
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const [first, second] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (first === second) continue;
    // Halves of pairs stand for characters beyond all others.
    const isHalf = first >= 0xd800 && second >= 0xd800;
    return isHalf ? weight(first) - weight(second) : first - second;
  }
  return left.length - right.length;
}

function weight(unit: number): number {
  return unit < 0xdc00 ? unit + 0x10000 : unit;
}
