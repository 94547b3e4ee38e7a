/** A regular expression as a tree, with what a linear engine cannot do: backreferences, lookaround, atomic groups. */
export type Expression =
  | { readonly kind: "char"; readonly test: (char: string) => boolean }
  | { readonly kind: "sequence"; readonly parts: readonly Expression[] }
  | { readonly kind: "either"; readonly options: readonly Expression[] }
  | {
      readonly kind: "repeat";
      readonly part: Expression;
      readonly min: number;
      readonly max: number;
      readonly mode: "greedy" | "lazy" | "possessive";
    }
  | { readonly kind: "group"; readonly index: number; readonly part: Expression }
  | { readonly kind: "back"; readonly group: number | string; readonly fold: boolean }
  | { readonly kind: "look"; readonly ahead: boolean; readonly negative: boolean; readonly part: Expression }
  | { readonly kind: "atomic"; readonly part: Expression }
  | { readonly kind: "edge"; readonly edge: Edge }
  | { readonly kind: "keep" };

export type Edge =
  | "line-start"
  | "line-end"
  | "text-start"
  | "text-end"
  | "text-end-feed"
  | "word"
  | "no-word"
  | "word-start"
  | "word-end"
  | "word-start-half"
  | "word-end-half";

export const EMPTY: Expression = { kind: "sequence", parts: [] };

export interface ParsedExpression {
  readonly expression: Expression;
  /** Groups that capture, without the whole. */
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
}
