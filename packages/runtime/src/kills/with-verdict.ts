import type { DurableEvent, Spent } from "@tenrec/protocol";
import { illegalIn, repeated } from "../simulation/with-legal.ts";
import { addSpent, spentBy } from "../spent.ts";
import type { TurnScenario } from "./with-scenarios.ts";

/** What an object has after its deaths. */
export interface Remains {
  readonly events: readonly DurableEvent[];
  readonly scenario: TurnScenario;
  /** How often workerd died since the turn began; each death may cost a model call. */
  readonly kills: number;
  readonly readFile: (path: string) => Promise<string>;
  /** What ran, once for each time. */
  readonly ran: readonly string[];
  readonly spent: Spent;
  /** Jobs that are still to be done. */
  readonly jobs: readonly string[];
}

type Of<T extends DurableEvent["type"]> = Extract<DurableEvent, { type: T }>;

/** What is wrong after a death, each with the invariant that it violates. Also for a turn that has not ended. */
export async function problemsOf(remains: Remains): Promise<string[]> {
  const { events, scenario, kills } = remains;
  const all = <T extends DurableEvent["type"]>(type: T): Of<T>[] => events.filter((e): e is Of<T> => e.type === type);
  const end = events.at(-1)?.type === "turn-end";
  const calls = all("tool-call").map((e) => e.toolCallId);
  const results = all("tool-result").map((e) => e.toolCallId);
  const isLeft = remains.jobs.some((job) => job === "drive" || job === "watchdog");
  return [
    ...repeated(all("input").map((e) => e.operationId)).map((id) => `I1: prompt ${id} is there twice`),
    ...repeated(results).map((id) => `I2: ${id} has two results`),
    ...(end && calls.length !== results.length ? ["I2: a call has no result"] : []),
    ...repeated(all("approval-answer").map((e) => e.approvalId)).map((id) => `I2: ${id} has two answers`),
    ...illegalIn(events).map((text) => `I3: ${text}`),
    ...(end ? await wrongFiles(remains) : []),
    ...(all("step-start").length > scenario.says.length + kills
      ? [`I5: ${all("step-start").length} model calls, after ${kills} kills`]
      : []),
    ...wrongRuns(remains, end),
    ...repeated(all("turn-end").map((e) => e.turn)).map((turn) => `I7: turn ${turn} ended twice`),
    ...wrongLedger(remains),
    ...(end && isLeft ? [`I10: left to be done: ${remains.jobs.join()}`] : []),
  ];
}

async function wrongFiles({ scenario, readFile }: Remains): Promise<string[]> {
  const wrong: string[] = [];
  for (const [path, content] of Object.entries(scenario.files ?? {})) {
    const found = await readFile(path).catch(String);
    if (found !== content) wrong.push(`I4: ${path} is ${JSON.stringify(found)}`);
  }
  return wrong;
}

function wrongRuns({ scenario: { once = [], again = [] }, ran }: Remains, end: boolean): string[] {
  return [...new Set([...ran, ...once, ...again])].flatMap((name) => {
    const times = ran.filter((each) => each === name).length;
    const least = again.includes(name) ? 2 : once.includes(name) ? 1 : 0;
    if (times > 1 && !again.includes(name)) return [`I6: ${name} ran ${times} times`];
    return end && times < least ? [`I6: ${name} ran ${times} times, not ${least}`] : [];
  });
}

/** What was billed is counted once, and a step that was billed again says so. */
function wrongLedger({ events, spent }: Remains): string[] {
  let attempt = 0;
  let sum: Spent = { usd: 0, tokens: 0, steps: 0 };
  const wrong: string[] = [];
  for (const event of events) {
    sum = addSpent(sum, spentBy(event) ?? { usd: 0, tokens: 0, steps: 0 });
    if (event.type === "step-start") attempt = event.attempt;
    if (event.type !== "usage" || (event.rebilled ?? false) === attempt > 1) continue;
    wrong.push(`I9: usage ${event.seq} of attempt ${attempt} is rebilled: ${event.rebilled}`);
  }
  if (sum.tokens === spent.tokens && sum.steps === spent.steps) return wrong;
  return [
    ...wrong,
    `I9: ${spent.tokens} tokens and ${spent.steps} steps are counted of ${sum.tokens} and ${sum.steps}`,
  ];
}
