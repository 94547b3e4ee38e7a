import { roundTo, type Summary } from "./statistics.ts";

/** A line of the output: how long, how much or how many for one subject. */
export interface Measurement extends Summary {
  readonly bench: string;
  readonly case: string;
  /** `tenrec` or a peer. */
  readonly subject: string;
  readonly unit: Unit;
}

export type Unit = "ms" | "MB" | "rows" | "bytes";

/** A line of the output: how Tenrec compares with a peer, or with a limit such as `64 MB`. */
export interface Goal {
  readonly bench: string;
  readonly case: string;
  readonly peer: string;
  /** Peer divided by Tenrec: above 1, Tenrec needs less. */
  readonly ratio: number;
  /** What the ratio has to be at least. */
  readonly goal: number;
  readonly better: "higher";
  readonly met: boolean;
}

/** A comparison before it is printed. */
export interface Comparison {
  readonly case: string;
  readonly peer: string;
  readonly ratio: number;
  readonly goal: number;
}

/** `peer` and `tenrec` in the same unit, of which less is better. */
export function ratioOf(peer: number, tenrec: number): number {
  return peer / tenrec;
}

/** Judged by what is not rounded yet: a ratio just below its goal misses it. */
export function goalRow(bench: string, comparison: Comparison): Goal {
  const { ratio, goal } = comparison;
  return {
    bench,
    case: comparison.case,
    peer: comparison.peer,
    ratio: roundTo(ratio, 3),
    goal: roundTo(goal, 3),
    better: "higher",
    met: ratio >= goal,
  };
}
