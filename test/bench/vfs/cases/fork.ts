import { measureCase } from "../../frame/measure-case.ts";
import type { Case, VfsContext } from "../context.ts";
import { generatedObject, LARGE, QUICK_LARGE } from "../generated-object.ts";

const MAX_ROWS = 5;
/** In one request. */
const REPEATS = 20;

/** A second head on a large tree. */
export const forkCase: Case = { name: "fork", run: fork };

async function fork(context: VfsContext): Promise<void> {
  const { report, tenrec, quick } = context;
  report.say("    shell and computer: have no fork");
  const object = await generatedObject(context, quick ? QUICK_LARGE : LARGE);
  const rows: number[] = [];
  const contestant = {
    subject: "tenrec",
    way: tenrec.way,
    repeats: REPEATS,
    async run(round: number) {
      const names = Array.from({ length: REPEATS }, (_, index) => `fork-${round}-${index}`);
      rows.push(...(JSON.parse(await tenrec.post(object, "fork", names)) as number[]));
    },
  };
  await measureCase(context, "fork", [contestant], { runs: 9, atLeast: 5, budgetMs: 1000 });
  report.measured("fork-rows", "tenrec", rows, "rows");
  report.expectAtMost("fork-rows", MAX_ROWS, "rows");
}
