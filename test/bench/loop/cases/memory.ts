import { setTimeout as sleep } from "node:timers/promises";
import { turnsFor } from "../../frame/measure-case.ts";
import { peakDuring, residentMegabytes } from "../../frame/memory.ts";
import { type Case, type LoopContext, newObject, runTurn, withObject } from "../context.ts";

/** What is left for the heap of an isolate with 128 MB. */
const V8_FLAGS = ["--max-old-space-size=110"];
const WORK = { kind: "mixed", steps: 100 } as const;

/**
 * What a turn of 100 steps adds to a workerd that has done a short one and then rested: the most that is resident while it
 * runs, sampled every 5 ms, less what was resident before. Each run has a workerd of its own, since what one turn leaves
 * behind would be idle memory of the next.
 */
export const memoryCase: Case = { name: "memory", run: memory };

async function memory(context: LoopContext): Promise<void> {
  context.report.say("    memory: megabytes that a turn of 100 steps adds");
  const { runs } = turnsFor(context, { runs: 5, atLeast: 5, budgetMs: 0 });
  for (const subject of context.subjects) {
    const above: number[] = [];
    for (let run = 0; run < runs; run++) {
      await subject.restart(V8_FLAGS);
      const short = { work: { ...WORK, steps: 4 }, place: "in-process" } as const;
      await withObject(subject, (object) => runTurn(context, subject, object, short));
      const object = await newObject(subject);
      await sleep(500);
      const idle = residentMegabytes(subject.pid());
      const turn = async (): Promise<void> =>
        void (await runTurn(context, subject, object, { work: WORK, place: "in-process" }));
      above.push((await peakDuring(subject.pid(), turn)) - idle);
    }
    await subject.restart();
    context.report.measured("memory/100", subject.name, above, "MB");
  }
}
