// `pnpm bench <name>`: measures Tenrec and its peers. Standard output has JSON lines only: first one for each measurement,
// then one for each goal. Ends with 1 when a goal is missed or an answer is wrong, with 2 for a mistake in the command.
import { setTimeout as sleep } from "node:timers/promises";
import { cacheFolder } from "./frame/cache-folder.ts";
import { type CleanUp, cleanUpOnSignals, createCleanUp } from "./frame/clean-up.ts";
import { type Options, parseOptions, UsageError } from "./frame/parse-options.ts";
import { Report } from "./frame/report.ts";
import { summaryOf } from "./frame/summary-of.ts";
import { benchLoop } from "./loop/bench.ts";
import { loopCases } from "./loop/cases.ts";
import { benchPreview } from "./preview/bench.ts";
import { previewCases } from "./preview/cases.ts";
import { benchTools } from "./tools/bench.ts";
import { toolsCases } from "./tools/cases.ts";
import { benchVfs } from "./vfs/bench.ts";
import { vfsCases } from "./vfs/cases.ts";

type Bench = (options: Options, report: Report, cache: string, cleanUp: CleanUp) => Promise<void>;

/** A benchmark has a folder, an entry here and a list of cases. */
const BENCHES: Readonly<Record<string, { readonly run: Bench; readonly cases: readonly string[] }>> = {
  loop: { run: benchLoop, cases: loopCases.map(({ name }) => name) },
  preview: { run: benchPreview, cases: previewCases.map(({ name }) => name) },
  tools: { run: benchTools, cases: toolsCases.map(({ name }) => name) },
  vfs: { run: benchVfs, cases: vfsCases.map(({ name }) => name) },
};

const began = performance.now();

function say(line: string): void {
  process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${line}\n`);
}

async function main(args: readonly string[]): Promise<number> {
  const options = parseOptions(
    args,
    Object.fromEntries(Object.entries(BENCHES).map(([name, { cases }]) => [name, cases])),
  );
  const report = new Report(options.bench, (line) => process.stdout.write(`${line}\n`), say);
  const cleanUp = createCleanUp();
  cleanUpOnSignals(cleanUp);
  try {
    await BENCHES[options.bench]?.run(options, report, cacheFolder(process.env), cleanUp);
  } finally {
    cleanUp.run();
  }
  const goals = report.finish();
  for (const line of summaryOf(goals, report.failures)) say(line);
  return report.failures.length > 0 || goals.some(({ met }) => !met) ? 1 : 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // Ctrl-C also ends what was being measured, and that is noticed first: then there is nothing to tell.
  await sleep(100);
  const usage = error instanceof UsageError;
  process.stderr.write(`bench: ${usage ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = usage ? 2 : 1;
}
