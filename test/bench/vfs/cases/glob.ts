import type { Contestant } from "../../frame/measure-in-turns.ts";
import { measureCase } from "../../frame/measure-case.ts";
import type { Case, VfsContext } from "../context.ts";
import type { Size } from "../trees.ts";
import { expectFaster } from "./import.ts";

/** Searches in one request: those of one folder are over in less than the request takes. */
const REPEATS = { anywhere: 10, anchored: 50 };

/** All files of a kind, and those below a folder. */
export function globCase(size: Size): Case {
  const suffix = size === "10x" ? "-10x" : "";
  const folder = size === "10x" ? "copy-7/effect/http" : "effect/http";
  return {
    name: `glob${suffix}`,
    async run(context) {
      await glob(context, `glob${suffix}`, size, { scope: "anywhere", pattern: "**/*.ts" });
      await glob(context, `glob${suffix}`, size, { scope: "anchored", pattern: `${folder}/**/*.ts` });
    },
  };
}

async function glob(
  context: VfsContext,
  suffixed: string,
  size: Size,
  { scope, pattern }: { readonly scope: keyof typeof REPEATS; readonly pattern: string },
): Promise<void> {
  const { report, trees, tenrec, workers } = context;
  const name = `${suffixed}/${scope}`;
  const repeats = REPEATS[scope];
  const object = await trees.object(size);
  const ours = await tenrec.post(object, "glob", { pattern, times: 1 }, { full: true });
  if (ours === "") report.fail(`${name}: nothing matches ${pattern}`);
  for (const peer of workers) {
    const answer = await peer.post(object, "glob", { pattern, times: 1 }, { full: true });
    if (answer !== ours) report.fail(`${name}: ${peer.name} has another answer than Tenrec`);
  }
  const contestants = workers.map((worker): Contestant => ({
    subject: worker.name,
    way: worker.way,
    repeats,
    run: async () => void (await worker.post(object, "glob", { pattern, times: repeats })),
  }));
  await measureCase(context, name, contestants, { runs: 15, atLeast: 3, budgetMs: 2000 });
  expectFaster(context, name);
}
