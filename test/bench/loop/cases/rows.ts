import { checkWork } from "../check-work.ts";
import { type Case, type LoopContext, runTurn, withObject } from "../context.ts";
import type { Kind } from "../work.ts";
import type { WorkerSubject } from "../../frame/worker-subject.ts";

const MAX_EDIT_ROWS = 20;
const SHORT = 4;
const LONG = 64;

/** Rows that a step writes: what a long turn writes more than a short one. */
export const rowsCase: Case = { name: "rows", run: rows };

async function rows(context: LoopContext): Promise<void> {
  await measureRows(context, "rows/step", "mixed");
  await measureRows(context, "rows/edit", "edits");
  context.report.expectAtMost("rows/edit", MAX_EDIT_ROWS, "rows");
}

async function measureRows(context: LoopContext, name: string, kind: Kind): Promise<void> {
  context.report.say(`    ${name}: rows a step`);
  for (const subject of context.subjects) {
    if (!(await checkWork(context, subject, { kind, steps: SHORT }, "in-process"))) continue;
    const [short, long] = [await rowsOf(context, subject, kind, SHORT), await rowsOf(context, subject, kind, LONG)];
    context.report.measured(name, subject.name, [(long - short) / (LONG - SHORT)], "rows");
  }
}

async function rowsOf(context: LoopContext, subject: WorkerSubject, kind: Kind, steps: number): Promise<number> {
  const turn = { work: { kind, steps }, place: "in-process", rows: true } as const;
  return withObject(subject, async (object) => (await runTurn(context, subject, object, turn)).rows);
}
