import type { Contestant } from "../../frame/measure-in-turns.ts";
import { measureCase } from "../../frame/measure-case.ts";
import type { Case, VfsContext } from "../context.ts";
import type { Size } from "../trees.ts";
import { expectFaster } from "./import.ts";

/** All files of a kind, and those below a folder. */
export function globCase(size: Size): Case {
  const suffix = size === "10x" ? "-10x" : "";
  const folder = size === "10x" ? "copy-7/effect/http" : "effect/http";
  return {
    name: `glob${suffix}`,
    async run(context) {
      await glob(context, `glob${suffix}/anywhere`, size, { pattern: "**/*.ts", repeats: 10 });
      // Each is over in less than a request takes.
      await glob(context, `glob${suffix}/anchored`, size, { pattern: `${folder}/**/*.ts`, repeats: 50 });
    },
  };
}

/** `repeats`: searches in one request. */
async function glob(
  context: VfsContext,
  name: string,
  size: Size,
  { pattern, repeats }: { readonly pattern: string; readonly repeats: number },
): Promise<void> {
  const { report, trees, tenrec, workers } = context;
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
