import { AwkArray } from "./awk-array.ts";
import { AwkError } from "./awk-error.ts";
import type { Label } from "./step-writer.ts";
import type { UserFunction } from "./syntax.ts";

/** What calls need to know of a function. */
export interface FunctionEntry {
  readonly definition: UserFunction;
  readonly entry: Label;
  /** Places of its frame; known when all of it was compiled. */
  size: number;
}

/** The value of an argument for a parameter that is an array. */
export function requireArray(value: unknown, name: string): AwkArray {
  if (value instanceof AwkArray) return value;
  throw new AwkError(`fatal: function ${name}: a scalar is given for an array`);
}
