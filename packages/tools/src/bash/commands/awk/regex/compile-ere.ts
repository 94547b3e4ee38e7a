import type { Edge, Expression } from "../../../../search/backtrack/expression.ts";
import { AwkError } from "../awk-error.ts";

/** One step of a machine that is in many places at once. */
export type Step =
  | { readonly kind: "char"; readonly test: (char: string) => boolean; next: number }
  /** `first` is tried before `second`. */
  | { readonly kind: "split"; first: number; second: number }
  | { readonly kind: "save"; readonly slot: number; next: number }
  | { readonly kind: "edge"; readonly edge: Edge; next: number }
  | { readonly kind: "match" };

/** Most steps: a repetition is written out. */
const MOST_STEPS = 6000;

/** Begins at 0. */
export function compileEre(expression: Expression): Step[] {
  const steps: Step[] = [];
  add(expression, steps);
  push(steps, { kind: "match" });
  return steps;
}

/** Each part goes on with what is behind it. */
function add(expression: Expression, steps: Step[]): void {
  switch (expression.kind) {
    case "char":
      push(steps, { kind: "char", test: expression.test, next: steps.length + 1 });
      return;
    case "edge":
      push(steps, { kind: "edge", edge: expression.edge, next: steps.length + 1 });
      return;
    case "sequence":
      for (const part of expression.parts) add(part, steps);
      return;
    case "group":
      push(steps, { kind: "save", slot: 2 * expression.index, next: steps.length + 1 });
      add(expression.part, steps);
      push(steps, { kind: "save", slot: 2 * expression.index + 1, next: steps.length + 1 });
      return;
    case "either":
      addEither(expression.options, steps);
      return;
    case "repeat":
      addRepeat(expression, steps);
      return;
    default:
      throw new Error(`no ${expression.kind} in expressions of awk`);
  }
}

function addEither(options: readonly Expression[], steps: Step[]): void {
  const ends: { next: number }[] = [];
  for (const [at, option] of options.entries()) {
    const isLast = at === options.length - 1;
    const split = { kind: "split" as const, first: steps.length + 1, second: 0 };
    if (!isLast) push(steps, split);
    add(option, steps);
    if (isLast) continue;
    // A jump is a save of what nobody asks for.
    const jump = { kind: "save" as const, slot: -1, next: 0 };
    push(steps, jump);
    ends.push(jump);
    split.second = steps.length;
  }
  for (const end of ends) end.next = steps.length;
}

function addRepeat({ part, min, max }: Extract<Expression, { kind: "repeat" }>, steps: Step[]): void {
  for (let count = 0; count < min; count++) add(part, steps);
  if (max === Number.POSITIVE_INFINITY) {
    const split = { kind: "split" as const, first: steps.length + 1, second: 0 };
    const start = steps.length;
    push(steps, split);
    add(part, steps);
    push(steps, { kind: "save", slot: -1, next: start });
    split.second = steps.length;
    return;
  }
  const splits: { second: number }[] = [];
  for (let count = min; count < max; count++) {
    const split = { kind: "split" as const, first: steps.length + 1, second: 0 };
    push(steps, split);
    splits.push(split);
    add(part, steps);
  }
  for (const split of splits) split.second = steps.length;
}

function push(steps: Step[], step: Step): void {
  if (steps.length >= MOST_STEPS) throw new AwkError("fatal: invalid regexp: Regular expression too big");
  steps.push(step);
}
