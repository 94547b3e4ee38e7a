import type { Replacement } from "./replacement.ts";
import type { SedPattern } from "./sed-pattern.ts";

/** A script of sed: commands one after another, where blocks and labels are places in the list. */
export interface SedProgram {
  readonly commands: readonly SedCommand[];
  /** It begins with `#n`. */
  readonly isQuiet: boolean;
}

export type SedCommand = SedAction & {
  readonly from?: Address;
  readonly to?: RangeEnd;
  readonly isNegated: boolean;
};

export type Address =
  | { readonly kind: "line"; readonly line: number }
  | { readonly kind: "step"; readonly first: number; readonly step: number }
  | { readonly kind: "last" }
  /** The pattern that was used last, where there is none. */
  | { readonly kind: "match"; readonly pattern: SedPattern | undefined };

export type RangeEnd =
  | Exclude<Address, { kind: "step" }>
  | { readonly kind: "more"; readonly lines: number }
  | { readonly kind: "multiple"; readonly of: number };

export type SedAction =
  | { readonly name: "=" | "d" | "D" | "F" | "g" | "G" | "h" | "H" | "n" | "N" | "p" | "P" | "v" | "x" | "z" | "}" }
  | { readonly name: ":"; readonly label: string }
  /** Where the block ends. */
  | { readonly name: "{"; end: number }
  | { readonly name: "a" | "i" | "c"; readonly text: string }
  | { readonly name: "b" | "t" | "T"; readonly label: string; target: number }
  | { readonly name: "q" | "Q"; readonly code: number }
  | { readonly name: "l"; readonly width: number | undefined }
  | { readonly name: "r" | "R" | "w" | "W"; readonly file: string }
  | { readonly name: "y"; readonly map: ReadonlyMap<string, string> }
  | Substitution;

export interface Substitution {
  readonly name: "s";
  readonly pattern: SedPattern | undefined;
  readonly replacement: Replacement;
  readonly isGlobal: boolean;
  /** The first of the matches that is replaced, from 1. */
  readonly number: number;
  readonly prints: number;
  readonly file: string | undefined;
}

/** What is wrong with a script, in sed's words. */
export class SedError extends Error {
  override readonly name = "SedError";
  readonly code: number;

  /** `code` is what sed ends with. */
  constructor(message: string, code = 1) {
    super(message);
    this.code = code;
  }
}
