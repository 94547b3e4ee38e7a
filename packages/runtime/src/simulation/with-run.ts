import { Journal } from "../journal.ts";
import { type Ending, INVARIANTS } from "./with-invariants.ts";
import { People } from "./with-people.ts";
import { World } from "./with-world.ts";

/** After so many ends of waits without rest, something goes round in circles. */
const MAX_STEPS = 6000;

/** What came of a seed. */
export interface Outcome {
  readonly seed: number;
  /** By invariant; only those that were violated. */
  readonly violations: { readonly [invariant: string]: readonly string[] };
  readonly kills: number;
  readonly steps: number;
  readonly modelCalls: number;
  readonly trace: readonly string[];
  /** By session. */
  readonly journals: Ending["journals"];
}

async function chaos(world: World, people: People): Promise<number> {
  const { chance, plan } = world;
  for (let step = 1; ; step += 1) {
    world.runJobs();
    if (chance.is(0.15)) people.act();
    if (chance.is(plan.full)) world.setFull(chance.below(60_000));
    const label = await world.scheduler.step();
    if (chance.is(plan.killAtStep)) world.kill(`after ${label ?? "nothing"}`);
    if (label === undefined && chance.is(0.3)) world.sleep();
    if (step >= plan.steps || world.isCircling) return step;
  }
}

/** Nothing dies any more, everybody says what is left to say: it must come to rest. */
async function calm(world: World, people: People): Promise<{ steps: number; isQuiet: boolean }> {
  world.mayKill = false;
  for (let step = 1; step <= MAX_STEPS && !world.isCircling; step += 1) {
    world.runJobs();
    if ((await world.scheduler.step()) !== undefined) continue;
    const due = world.jobs.nextDue();
    if (due !== undefined) {
      // The alarm of the object.
      world.scheduler.after(undefined, Math.max(0, due - world.scheduler.now), "alarm", () => world.runJobs());
      continue;
    }
    if (people.isDone && isAtRest(world)) return { steps: step, isQuiet: true };
    people.finish();
  }
  return { steps: MAX_STEPS, isQuiet: false };
}

function isAtRest(world: World): boolean {
  const journal = new Journal(world.storage, () => 0);
  return world.plan.sessions.every((session) => journal.state(session).open.size === 0);
}

/** Plays one seed from its start to its end, and judges it. The same seed always plays the same. */
export async function simulate(seed: number): Promise<Outcome> {
  const world = new World(seed);
  const people = new People(world);
  const steps = await chaos(world, people);
  const rest = await calm(world, people);
  await people.lookAtAll();
  const reader = new Journal(world.storage, () => 0);
  const journals = new Map(world.plan.sessions.map((session) => [session, reader.events(session)]));
  const ending: Ending = { world, people, journals, isQuiet: rest.isQuiet };
  const violations: Record<string, readonly string[]> = {};
  for (const [name, invariant] of Object.entries(INVARIANTS)) {
    const wrong = await invariant(ending);
    if (wrong.length > 0) violations[name] = wrong;
  }
  world.storage.close();
  const { kills, trace, calls } = world;
  return { seed, violations, kills, steps: steps + rest.steps, modelCalls: calls.length, trace, journals };
}
