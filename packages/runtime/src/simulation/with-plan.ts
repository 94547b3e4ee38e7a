import type { Chance } from "./with-chance.ts";

/** What kind of trouble a seed has. */
export interface Plan {
  readonly killAtStep: number;
  readonly killAtCommit: number;
  /** The share of deaths after which the old instance runs on, and of those whose storage still works. */
  readonly zombies: number;
  readonly fencedByEpochAlone: number;
  readonly full: number;
  readonly sessions: readonly string[];
  readonly prompts: number;
  /** The model makes the same call again and again. */
  readonly repeats: boolean;
  /** The object dies whenever a certain tool runs. */
  readonly crashLoop: boolean;
  readonly modelFaults: number;
  /** Ends of waits, after which nothing dies any more. */
  readonly steps: number;
}

export function planOf(chance: Chance): Plan {
  const isCalm = chance.is(0.1);
  const crashLoop = chance.is(0.08);
  return {
    killAtStep: isCalm ? 0 : chance.pick([0, 0.01, 0.03, 0.08]),
    killAtCommit: isCalm ? 0 : chance.pick([0, 0.02, 0.06]),
    zombies: chance.pick([0, 0.5, 1]),
    fencedByEpochAlone: chance.pick([0, 0.5, 1]),
    full: chance.is(0.1) ? 0.01 : 0,
    sessions: chance.is(0.3) ? ["s", "t"] : ["s"],
    prompts: 1 + chance.below(4),
    repeats: chance.is(0.08),
    crashLoop,
    modelFaults: chance.pick([0, 0.1, 0.3]),
    steps: crashLoop ? 600 : 80 + chance.below(120),
  };
}
