import type { Contestant } from "../../frame/measure-in-turns.ts";
import { measureCase } from "../../frame/measure-case.ts";
import { ratioOf } from "../../frame/rows.ts";
import type { WorkerSubject } from "../../frame/worker-subject.ts";
import { checkWork, problemWith } from "../check-work.ts";
import { type Case, dropObject, type LoopContext, newObject, type Place, runTurn, STEPS } from "../context.ts";

/** How many times as long as `bare` Tenrec may take: a model that is far away leaves less to be slow with. */
const MOST_OF_BARE: Readonly<Record<Place, number>> = { "in-process": 1.5, http: 1.2 };
const MAX_SLOPE = 1.2;

/** Milliseconds a step of turns of 1, 20 and 100 steps. */
export function stepsCase(place: Place): Case {
  return { name: place, run: (context) => measureSteps(context, place) };
}

async function measureSteps(context: LoopContext, place: Place): Promise<void> {
  const { report } = context;
  for (const steps of STEPS) {
    const name = `${place}/${steps}`;
    const work = { kind: "mixed", steps } as const;
    report.say(`    ${name}: milliseconds a step`);
    const contestants: Contestant[] = [];
    for (const subject of context.subjects) {
      if (await checkWork(context, subject, work, place)) contestants.push(contestant(context, subject, steps, place));
    }
    await measureCase(context, name, contestants, { runs: steps === 1 ? 41 : 21, atLeast: 9, budgetMs: 6000 });
    report.expectRatio(name, "think", 2);
    report.expectRatio(name, "harness", 1);
    // Of a turn with one step most is its begin and end, which nothing durable has in common with `bare`.
    if (steps > 1) report.expectRatio(name, "bare", 1 / MOST_OF_BARE[place]);
  }
  const [short, long] = [20, 100].map((steps) => report.median(`${place}/${steps}`, "tenrec"));
  if (short === undefined || long === undefined) return;
  report.expect({ case: `${place}/slope`, peer: "20 steps", ratio: ratioOf(short, long), goal: 1 / MAX_SLOPE });
}

function contestant(context: LoopContext, subject: WorkerSubject, steps: number, place: Place): Contestant {
  const work = { kind: "mixed", steps } as const;
  let object = "";
  return {
    subject: subject.name,
    repeats: steps,
    async prepare() {
      if (object !== "") await dropObject(subject, object);
      object = await newObject(subject);
    },
    way: () => subject.post(object, "empty", "").then(() => {}),
    async run() {
      const answer = await runTurn(context, subject, object, { work, place });
      const problem = problemWith(work, answer);
      if (problem !== undefined) throw new Error(`${subject.name}: ${problem}`);
    },
  };
}
