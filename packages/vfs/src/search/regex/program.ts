import { TenrecError } from "@tenrec/protocol";
import type { CharSet } from "./char-set.ts";
import { LookKinds } from "./looks.ts";
import type { Repeat, Syntax } from "./syntax.ts";

export const SET = 0;
export const SPLIT = 1;
export const LOOK = 2;
export const MATCH = 3;

/**
 * An automaton without memory of its way: `ops[pc]` says what stands at `pc`. `SET` takes a character of set `x[pc]` and
 * goes to `y[pc]`; `SPLIT` goes to `x[pc]`, and with less priority to `y[pc]`; `LOOK` goes to `y[pc]` where assertion
 * `x[pc]` holds; `MATCH` is the end.
 */
export interface Program {
  readonly ops: readonly number[];
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly start: number;
  readonly sets: readonly CharSet[];
  /** Assertions by number, see `looks.ts`. */
  readonly looks: number;
  /** The pattern that it comes from, for an error. */
  readonly source: string;
}

/** Steps of an automaton, so that one text's character costs at most this many. */
const MAX_STEPS = 20_000;

interface Draft {
  readonly ops: number[];
  readonly x: number[];
  readonly y: number[];
  readonly sets: CharSet[];
  readonly setIds: Map<string, number>;
  looks: number;
}

/** `EINVAL` for a pattern that unrolls to too many steps. */
export function toProgram(syntax: Syntax, pattern: string): Program {
  const draft: Draft = { ops: [], x: [], y: [], sets: [], setIds: new Map(), looks: 0 };
  const emit = (op: number, x: number, y: number): number => {
    if (draft.ops.length >= MAX_STEPS) {
      throw new TenrecError("EINVAL", { path: pattern.slice(0, 1000), reason: "it repeats too much" });
    }
    draft.ops.push(op);
    draft.x.push(x);
    return draft.y.push(y) - 1;
  };
  const add = (node: Syntax, next: number): number => {
    switch (node.kind) {
      case "empty":
        return next;
      case "set":
        return emit(SET, setId(draft, node.set), next);
      case "look": {
        const kind = LookKinds.numberOf(node.look, node.ascii);
        draft.looks |= 1 << kind;
        return emit(LOOK, kind, next);
      }
      case "concat":
        return node.parts.reduceRight((after, part) => add(part, after), next);
      case "either":
        return node.parts.map((part) => add(part, next)).reduceRight((second, first) => emit(SPLIT, first, second));
      case "repeat":
        return addRepeat(node, next);
    }
  };
  const split = (lazy: boolean, into: number, past: number): number =>
    lazy ? emit(SPLIT, past, into) : emit(SPLIT, into, past);
  const addRepeat = ({ part, min, max, lazy }: Repeat, next: number): number => {
    let after = next;
    let left = min;
    if (max === Number.POSITIVE_INFINITY) {
      const again = emit(SPLIT, 0, 0);
      const into = add(part, again);
      draft.x[again] = lazy ? next : into;
      draft.y[again] = lazy ? into : next;
      // A round that takes nothing must not come back to the choice that it is in.
      after = min > 0 ? into : isNullable(part) ? split(lazy, into, next) : again;
      left = Math.max(0, min - 1);
    } else for (let count = min; count < max; count++) after = split(lazy, add(part, after), next);
    for (let count = 0; count < left; count++) after = add(part, after);
    return after;
  };
  const start = add(syntax, emit(MATCH, 0, 0));
  return { ...draft, start, source: pattern };
}

/** Steps beside reading that a search may take, and for each byte that it has read. */
const MAX_WORK = 20_000_000;
const MAX_WORK_A_BYTE = 16;

/** Throws `EINVAL` when a pattern takes so many steps on a text that a search would not end in a reasonable time. */
export function checkWork({ source }: Program, work: number, bytes: number): void {
  if (work <= MAX_WORK + MAX_WORK_A_BYTE * bytes) return;
  const reason = "it takes too many steps on these files; repeat less in it, or make it begin with plain text";
  throw new TenrecError("EINVAL", { path: source.slice(0, 1000), reason });
}

function setId(draft: Draft, set: CharSet): number {
  const key = JSON.stringify(set);
  const known = draft.setIds.get(key);
  if (known !== undefined) return known;
  draft.setIds.set(key, draft.sets.length);
  return draft.sets.push(set) - 1;
}

function isNullable(syntax: Syntax): boolean {
  switch (syntax.kind) {
    case "set":
      return false;
    case "concat":
      return syntax.parts.every(isNullable);
    case "either":
      return syntax.parts.some(isNullable);
    case "repeat":
      return syntax.min === 0 || isNullable(syntax.part);
    default:
      return true;
  }
}
