import { median } from "../../frame/statistics.ts";
import { ratioOf } from "../../frame/rows.ts";
import { measureCase } from "../../frame/measure-case.ts";
import type { Case, VfsContext } from "../context.ts";
import { compareAnswers, grepContestants, placeOf } from "../grep-contestants.ts";
import { type NamedPattern, PATTERNS } from "../patterns.ts";
import type { Size } from "../trees.ts";

/** Regular expressions of everyday. */
export function grepRegexCase(size: Size): Case {
  const name = size === "10x" ? "grep-regex-10x" : "grep-regex";
  return { name, run: (context) => grepRegex(context, name, size) };
}

async function grepRegex(context: VfsContext, name: string, size: Size): Promise<void> {
  const { report } = context;
  if (size === "10x") report.say("    shell and computer: left out, twenty patterns would take them minutes");
  const ratios: { pattern: string; ratio: number }[] = [];
  for (const pattern of PATTERNS.regex) {
    await grepPattern(context, `${name}/${pattern.name}`, size, pattern);
    const [ours, theirs] = ["tenrec", "ripgrep"].map((subject) => report.median(`${name}/${pattern.name}`, subject));
    if (ours !== undefined && theirs !== undefined)
      ratios.push({ pattern: pattern.name, ratio: ratioOf(theirs, ours) });
  }
  const worst = ratios.toSorted((a, b) => a.ratio - b.ratio)[0];
  if (worst === undefined) return;
  report.say(`    worst against ripgrep: ${worst.pattern}`);
  const middle = median(ratios.map(({ ratio }) => ratio));
  report.expect({ case: `${name}/median`, peer: "ripgrep", ratio: middle, goal: 1 / 3 });
  report.expect({ case: `${name}/worst`, peer: "ripgrep", ratio: worst.ratio, goal: 1 / 20 });
}

async function grepPattern(context: VfsContext, name: string, size: Size, named: NamedPattern): Promise<void> {
  const { report, tenrec } = context;
  const query = { pattern: named.pattern, regex: true, ignoreCase: named.flags === "i" };
  const place = await placeOf(context, size);
  report.say(`  ${name}`);
  const asked = size === "10x" ? [tenrec] : context.workers;
  const { ours, wrong, ripgrepRefuses } = await compareAnswers(context, place, query, asked);
  if (ripgrepRefuses || wrong.includes("ripgrep")) report.fail(`${name}: ripgrep has another answer than Tenrec`);
  // JavaScript's own expressions have another syntax here and there. ripgrep has said what is right.
  for (const peer of wrong.filter((peer) => peer !== "ripgrep")) {
    report.say(`    ${peer}: not measured, this pattern means something else to it`);
  }
  const workers = asked.filter((worker) => !wrong.includes(worker.name));
  const contestants = grepContestants(context, place, query, workers, ours);
  await measureCase(context, name, contestants, { runs: 5, atLeast: size === "1x" ? 2 : 1, budgetMs: 1000 });
}
