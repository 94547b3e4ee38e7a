import { measureCase } from "../../frame/measure-case.ts";
import type { Case, VfsContext } from "../context.ts";
import { LITERAL, NONE } from "../patterns.ts";
import type { Size } from "../trees.ts";
import type { GrepRequest } from "../workers/store.ts";
import { compareAnswers, grepContestants, placeOf } from "../grep-contestants.ts";

/** Text to search for, which is in some files or in none. */
export function grepCases(size: Size): Case[] {
  const suffix = size === "10x" ? "-10x" : "";
  return [
    {
      name: `grep-literal${suffix}`,
      run: (context) => grepText(context, `grep-literal${suffix}`, size, LITERAL),
    },
    { name: `grep-none${suffix}`, run: (context) => grepText(context, `grep-none${suffix}`, size, NONE) },
    ...(size === "1x" ? [{ name: "grep-cold", run: grepCold }] : []),
  ];
}

/** The first search of a store that was just opened: what Tenrec learns of contents it does not know yet. */
async function grepCold(context: VfsContext): Promise<void> {
  const query: GrepRequest = { pattern: NONE, regex: false, ignoreCase: false };
  const place = await placeOf(context, "1x");
  const { tenrec } = context;
  const { ours } = await compareAnswers(context, place, query, [tenrec]);
  const contestants = grepContestants(context, place, query, [tenrec], ours, "grep-cold");
  await measureCase(context, "grep-cold", contestants, { runs: 9, atLeast: 3, budgetMs: 5000 });
}

async function grepText(context: VfsContext, name: string, size: Size, pattern: string): Promise<void> {
  const { report, workers } = context;
  const query: GrepRequest = { pattern, regex: false, ignoreCase: false };
  const place = await placeOf(context, size);
  const { ours, wrong } = await compareAnswers(context, place, query, workers);
  for (const peer of wrong) report.fail(`${name}: ${peer} has another answer than Tenrec`);
  const contestants = grepContestants(context, place, query, workers, ours);
  await measureCase(context, name, contestants, { runs: 9, atLeast: size === "1x" ? 3 : 1, budgetMs: 5000 });
  report.expectRatio(name, "shell", 10);
  report.expectRatio(name, "computer", 10);
  report.expectRatio(name, "ripgrep", 1 / 3);
}
