import { checkWork } from "../check-work.ts";
import { type Case, type LoopContext, newObject, runTurn, STEPS } from "../context.ts";

/** Bytes of the requests that a turn sends to the model. */
export const bytesCase: Case = { name: "bytes", run: bytes };

async function bytes(context: LoopContext): Promise<void> {
  for (const steps of STEPS) {
    const work = { kind: "mixed", steps } as const;
    context.report.say(`    bytes/${steps}: bytes sent in a turn`);
    for (const subject of context.subjects) {
      if (!(await checkWork(context, subject, work, "http"))) continue;
      const answer = await runTurn(context, subject, await newObject(subject), { work, place: "http" });
      context.report.measured(`bytes/${steps}`, subject.name, [answer.bytes], "bytes");
    }
  }
}
