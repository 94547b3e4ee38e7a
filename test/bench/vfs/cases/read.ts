import { createHash } from "node:crypto";
import type { Contestant } from "../../frame/measure-in-turns.ts";
import { measureCase } from "../../frame/measure-case.ts";
import type { Case, VfsContext } from "../context.ts";
import { shuffled } from "../corpus/derived-trees.ts";
import type { Size } from "../trees.ts";
import { expectFaster } from "./import.ts";

const FILES = 2000;

/** Two thousand files in no order. */
export function readCase(size: Size): Case {
  const name = size === "10x" ? "read-10x" : "read";
  return { name, run: (context) => readFiles(context, name, size) };
}

async function readFiles(context: VfsContext, name: string, size: Size): Promise<void> {
  const { report, trees, workers } = context;
  const files = shuffled(trees.parts(size).flat()).slice(0, FILES);
  const paths = files.map(({ path }) => `/${path}`);
  const hashes = files.map(({ bytes }) => createHash("sha256").update(bytes).digest("hex")).join("\n");
  const object = await trees.object(size);
  for (const worker of workers) {
    const answer = await worker.post(object, "read", paths, { full: true });
    if (answer !== hashes) report.fail(`${name}: ${worker.name} does not give back what was imported`);
  }
  const contestants = workers.map((worker): Contestant => ({
    subject: worker.name,
    way: worker.way,
    run: async () => void (await worker.post(object, "read", paths)),
  }));
  await measureCase(context, name, contestants, { runs: 9, atLeast: 3, budgetMs: 3000 });
  expectFaster(context, name);
}
