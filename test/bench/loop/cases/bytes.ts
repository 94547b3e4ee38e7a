import { checkWork } from "../check-work.ts";
import { type Case, type LoopContext, runTurn, STEPS, withObject } from "../context.ts";

/** Bytes of the requests that a turn sends to the model. */
export const bytesCase: Case = { name: "bytes", run: bytes };

async function bytes(context: LoopContext): Promise<void> {
  for (const steps of STEPS) {
    const work = { kind: "mixed", steps } as const;
    context.report.say(`    bytes/${steps}: bytes sent in a turn`);
    for (const subject of context.subjects) {
      if (!(await checkWork(context, subject, work, "http"))) continue;
      const turn = { work, place: "http" } as const;
      const { bytes: sent } = await withObject(subject, (object) => runTurn(context, subject, object, turn));
      context.report.measured(`bytes/${steps}`, subject.name, [sent], "bytes");
    }
  }
}
