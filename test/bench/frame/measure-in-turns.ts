import { median } from "./statistics.ts";

/** Somebody whose time is taken, again and again. */
export interface Contestant {
  readonly subject: string;
  /** What has to happen before a run and is not part of it. */
  prepare?(round: number): Promise<void>;
  run(round: number): Promise<void> | void;
  /** Goes the way that a run goes, and does nothing there. What that takes is taken off. */
  readonly way?: () => Promise<void> | void;
  /** How often a run does what is measured, where once would drown in the noise of the way; the time is divided by it. */
  readonly repeats?: number;
}

export interface Turns {
  /** Rounds at most. */
  readonly runs: number;
  /** A contestant sits out once its runs took this long together, but not before `atLeast` of them. */
  readonly budgetMs: number;
  readonly atLeast: number;
  /** Milliseconds of a steady clock. */
  readonly now: () => number;
}

interface Series {
  readonly ways: number[];
  readonly runs: number[];
  spent: number;
}

/** Nobody is faster than this after the way was taken off: noise must not make it nothing or less. */
const LEAST_MS = 0.001;

/**
 * Milliseconds of every run by subject. The contestants run in turn, so that what slows the machine down for a while slows
 * all of them down; each round begins with another one, since who comes after whom makes a difference too. The way is
 * timed before each run, and its median over all rounds is taken off: the machine may be slower now than it was before.
 */
export async function measureInTurns(contestants: readonly Contestant[], turns: Turns): Promise<Map<string, number[]>> {
  const series = contestants.map((): Series => ({ ways: [], runs: [], spent: 0 }));
  for (let round = 0; round < turns.runs; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      const index = (round + turn) % contestants.length;
      const [contestant, own] = [contestants[index], series[index]];
      if (contestant === undefined || own === undefined) continue;
      if (own.runs.length >= turns.atLeast && own.spent >= turns.budgetMs) continue;
      await runOnce(contestant, own, round, turns.now);
    }
  }
  return new Map(contestants.map(({ subject, repeats = 1 }, index) => [subject, netOf(series[index], repeats)]));
}

async function runOnce(contestant: Contestant, series: Series, round: number, now: () => number): Promise<void> {
  await contestant.prepare?.(round);
  const start = now();
  await contestant.way?.();
  const middle = now();
  await contestant.run(round);
  const took = now() - middle;
  series.ways.push(middle - start);
  series.runs.push(took);
  series.spent += took;
}

function netOf({ ways, runs }: Series = { ways: [], runs: [], spent: 0 }, repeats: number): number[] {
  const way = runs.length > 0 ? median(ways) : 0;
  return runs.map((took) => Math.max((took - way) / repeats, LEAST_MS));
}
