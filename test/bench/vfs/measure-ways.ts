import { type Contestant, measureInTurns } from "../frame/measure-in-turns.ts";
import { turnsFor } from "../frame/measure-case.ts";
import type { VfsContext } from "./context.ts";

const RUNS = 41;

/**
 * What it costs to ask at all: a request that wants nothing, and the start of a ripgrep that finds no file. Told apart
 * here, and taken off every run of every case.
 */
export async function measureWays({ report, workers, ripgrep }: VfsContext): Promise<void> {
  report.say("empty requests, and the start of a process");
  const contestants: Contestant[] = [
    ...workers.map(({ name, way }) => ({ subject: name, run: way })),
    { subject: "ripgrep", run: ripgrep.way },
  ];
  const turns = turnsFor({ runs: undefined, quick: false }, { runs: RUNS, atLeast: RUNS, budgetMs: 0 });
  await measureInTurns(contestants, turns);
  for (const [subject, times] of await measureInTurns(contestants, turns)) {
    report.measured(subject === "ripgrep" ? "process-start" : "empty-request", subject, times);
  }
}
