import type { Expression } from "./expression.ts";

/** How many characters an expression can match. */
interface Width {
  readonly min: number;
  readonly max: number;
}

const NONE: Width = { min: 0, max: 0 };

export function widthOf(expression: Expression): Width {
  switch (expression.kind) {
    case "char":
      return { min: 1, max: 1 };
    case "sequence":
      return expression.parts
        .map(widthOf)
        .reduce((sum, one) => ({ min: sum.min + one.min, max: sum.max + one.max }), NONE);
    case "either": {
      const widths = expression.options.map(widthOf);
      return { min: Math.min(...widths.map(({ min }) => min)), max: Math.max(...widths.map(({ max }) => max)) };
    }
    case "repeat": {
      const { min, max } = widthOf(expression.part);
      // Nothing, however often, is nothing.
      return { min: min * expression.min, max: max === 0 ? 0 : max * expression.max };
    }
    case "group":
    case "atomic":
      return widthOf(expression.part);
    case "back":
      return { min: 0, max: Number.POSITIVE_INFINITY };
    default:
      return NONE;
  }
}
