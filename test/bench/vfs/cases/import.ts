import type { Contestant } from "../../frame/measure-in-turns.ts";
import { measureCase } from "../../frame/measure-case.ts";
import type { Case, VfsContext } from "../context.ts";
import { tarOf } from "../corpus/tar-of.ts";

/** A tar file of the real tree into an empty store. */
export const importCase: Case = { name: "import", run: importTree };

/** Ten tar files, one after the other; once, since it takes the peers long. */
export const importTenfoldCase: Case = { name: "import-10x", run: importTenfold };

async function importTree(context: VfsContext): Promise<void> {
  const { trees, workers } = context;
  // Warms up, and is what other cases search.
  await trees.object("1x");
  const tar = await tarOf(trees.parts("1x").flat());
  const contestants = workers.map((worker): Contestant => {
    const object = (round: number): string => `import-${round}`;
    return {
      subject: worker.name,
      way: worker.way,
      // Its own store each time: equal contents are kept once.
      prepare: async (round) => void (round > 0 && (await worker.post(object(round - 1), "drop", ""))),
      run: async (round) => void (await worker.post(object(round), "import", tar)),
    };
  });
  await measureCase(context, "import", contestants, { runs: 5, atLeast: 3, budgetMs: 5000 });
  expectFaster(context, "import");
}

async function importTenfold(context: VfsContext): Promise<void> {
  for (const [subject, ms] of await context.trees.importTimes("10x")) {
    context.report.measured("import-10x", subject, [ms]);
  }
  expectFaster(context, "import-10x");
}

/** The goal of everything but search: faster than both. */
export function expectFaster({ report }: VfsContext, name: string): void {
  report.expectRatio(name, "shell", 1);
  report.expectRatio(name, "computer", 1);
}
