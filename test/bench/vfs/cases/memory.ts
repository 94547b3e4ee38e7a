import { setTimeout as sleep } from "node:timers/promises";
import { peakDuring, residentMegabytes } from "../../frame/memory.ts";
import { turnsFor } from "../../frame/measure-case.ts";
import type { Case, VfsContext } from "../context.ts";
import { NONE, PATTERNS } from "../patterns.ts";
import type { GrepRequest } from "../workers/store.ts";

const MAX_MEGABYTES = 64;
/** What is left for the heap of an isolate with 128 MB. */
const V8_FLAGS = ["--max-old-space-size=110"];

/**
 * What a search of the tenfold tree adds to a workerd that has just searched the real tree and then rested: the most that
 * is resident while it runs, sampled every 5 ms, less what was resident before. Each run has a workerd of its own, since
 * what one search leaves behind would be idle memory of the next.
 */
export const memoryCase: Case = { name: "memory", run: memory };

async function memory(context: VfsContext): Promise<void> {
  const everyLine = PATTERNS.regex.find(({ name }) => name === "upper-case-names");
  await measure(context, "memory/grep-none", { pattern: NONE, regex: false, ignoreCase: false });
  // Without text to look for first, every file is decoded.
  if (everyLine)
    await measure(context, "memory/grep-regex", { pattern: everyLine.pattern, regex: true, ignoreCase: false });
}

async function measure(context: VfsContext, name: string, query: GrepRequest): Promise<void> {
  const { report, trees, tenrec } = context;
  const [small, large] = [await trees.object("1x"), await trees.object("10x")];
  const above: number[] = [];
  const { runs } = turnsFor(context, { runs: 5, atLeast: 5, budgetMs: 0 });
  for (let run = 0; run < runs; run++) {
    await tenrec.restart(V8_FLAGS);
    await tenrec.post(small, "grep", query);
    await tenrec.post(large, "empty", "");
    await sleep(500);
    const idle = residentMegabytes(tenrec.pid());
    const peak = await peakDuring(tenrec.pid(), async () => void (await tenrec.post(large, "grep", query)));
    above.push(peak - idle);
  }
  await tenrec.restart();
  report.measured(name, "tenrec", above, "MB");
  report.expectAtMost(name, MAX_MEGABYTES, "MB");
}
