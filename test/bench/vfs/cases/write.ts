import type { Contestant } from "../../frame/measure-in-turns.ts";
import { measureCase } from "../../frame/measure-case.ts";
import type { Case, VfsContext } from "../context.ts";
import type { Size } from "../trees.ts";
import { expectFaster } from "./import.ts";

/** Two thousand files of 7 KB, beside a tree; Tenrec commits them together. */
export function writeCase(size: Size): Case {
  const name = size === "10x" ? "write-10x" : "write";
  return { name, run: (context) => writeFiles(context, name, size) };
}

async function writeFiles(context: VfsContext, name: string, size: Size): Promise<void> {
  const object = await context.trees.object(size);
  const files = context.quick ? 200 : 2000;
  const contestants = context.workers.map((worker): Contestant => ({
    subject: worker.name,
    way: worker.way,
    // The same folder as last time would be overwritten, which is another thing than written.
    run: async (round) => void (await worker.post(object, "write", { folder: `written-${round}`, files, bytes: 7000 })),
  }));
  // They are close to each other, and the disk is not the same each time.
  await measureCase(context, name, contestants, { runs: 15, atLeast: 9, budgetMs: 6000 });
  expectFaster(context, name);
}
