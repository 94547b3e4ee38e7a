import { type Contestant, measureInTurns } from "../../frame/measure-in-turns.ts";
import { ratioOf } from "../../frame/rows.ts";
import { turnsFor } from "../../frame/measure-case.ts";
import type { Case, VfsContext } from "../context.ts";
import { generatedPath } from "../corpus/derived-trees.ts";
import { generatedObject, LARGE, QUICK_LARGE, SMALL } from "../generated-object.ts";

/** Commits in one request. */
const REPEATS = 20;

/** One file changed and committed, in a small tree and in a large one. */
export const commitOneCase: Case = { name: "commit-one", run: commitOne };

async function commitOne(context: VfsContext): Promise<void> {
  const { report, tenrec } = context;
  const sizes = [SMALL, context.quick ? QUICK_LARGE : LARGE];
  report.say("    shell and computer: have no commit; their writes are in `write`");
  const contestants: Contestant[] = [];
  for (const size of sizes) {
    const object = await generatedObject(context, size);
    contestants.push({
      subject: String(size),
      way: tenrec.way,
      repeats: REPEATS,
      async run(round) {
        const files = Array.from({ length: REPEATS }, (_, index) => {
          const number = round * REPEATS + index;
          // Another folder each time, up and down the tree.
          const path = `/${generatedPath((number * 7919) % size)}`;
          return { path, text: `export const now = ${number} + ${performance.now()};\n` };
        });
        await tenrec.post(object, "commit", files);
      },
    });
  }
  // The first ones load directories.
  await measureInTurns(contestants, turnsFor({ runs: 2, quick: false }, { runs: 2, atLeast: 2, budgetMs: 0 }));
  const turns = turnsFor(context, { runs: 21, atLeast: 9, budgetMs: 3000 });
  for (const [size, times] of await measureInTurns(contestants, turns)) {
    report.measured(`commit-one/${size}`, "tenrec", times);
  }
  const [small, large] = sizes.map((size) => report.median(`commit-one/${size}`, "tenrec"));
  if (small === undefined || large === undefined) return;
  report.expect({ case: "commit-one", peer: `${SMALL} files`, ratio: ratioOf(small, large), goal: 1 / 1.5 });
}
