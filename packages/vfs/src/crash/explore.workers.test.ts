import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { maintain } from "../maintain.ts";
import { CountingKill, type KillSwitch } from "./with-kill-switch.ts";
import { bucketOptions, createJournal, openScene, randomNumbers, type Run, runSteps } from "./with-run.ts";
import { type Scenario, type Scene, scenarios } from "./with-scenarios.ts";
import { damages, orphans, worldOf } from "./with-world.ts";

const seed = Number(env.TENREC_SEED || Math.floor(Math.random() * 1e9));
/** Each is made in both manners. */
const KILLS_PER_SCENARIO = env.TENREC_CRASH === "all" ? 6 : 1;

type Stub = DurableObjectStub;

/** How an object dies: with the writes of this turn of the event loop, or after they are on disk. */
type Manner = "at once" | "after a sync";

class AbortingKill implements KillSwitch {
  count = 0;
  where: string | undefined;
  readonly #state: DurableObjectState;
  readonly #at: number;
  readonly #manner: Manner;

  constructor(state: DurableObjectState, at: number, manner: Manner) {
    this.#state = state;
    this.#at = at;
    this.#manner = manner;
  }

  boundary(name: string): void {
    if (++this.count !== this.#at) return;
    this.where = name;
    if (this.#manner === "at once") this.#state.abort("killed");
    else void this.#state.storage.sync().then(() => this.#state.abort("killed"));
  }

  async asyncBoundary(name: string): Promise<void> {
    this.boundary(name);
    // Nothing goes on after it.
    if (this.where === name && this.count === this.#at) await new Promise(() => {});
  }
}

let clock = 1_000_000;
const now = (): number => ++clock;

async function inObject<T>(
  stub: Stub,
  run: (run: Run, state: DurableObjectState) => Promise<T>,
  source?: Scene["source"],
) {
  return await runInDurableObject(stub, async (_instance, state) => {
    createJournal(state.storage);
    const prefix = state.id.toString();
    return run({ storage: state.storage, bucket: env.TEST_BUCKET, prefix, now, source }, state);
  });
}

const sources = new Map<string, Scene["source"]>();

async function setUp(scenario: Scenario): Promise<Stub> {
  const stub = env.TEST_OBJECT.get(env.TEST_OBJECT.newUniqueId());
  await inObject(stub, async (run, state) => {
    if (scenario.setup.length === 0) return;
    const scene = openScene(run);
    await runSteps(() => scene, scenario.setup);
    sources.set(scenario.name, scene.source);
    await state.storage.sync();
  });
  return stub;
}

async function measure(scenario: Scenario): Promise<{ boundaries: number; worlds: string[] }> {
  const stub = await setUp(scenario);
  return await inObject(
    stub,
    async (run) => {
      const kill = new CountingKill();
      const worlds: string[] = [];
      await runSteps(
        () => openScene(run, kill),
        scenario.steps,
        () => worlds.push(worldOf(run.storage)),
      );
      return { boundaries: kill.count, worlds };
    },
    sources.get(scenario.name),
  );
}

interface Death {
  readonly at: number;
  readonly manner: Manner;
  readonly worlds: readonly string[];
}

/** Aborts the object in the midst of a run, and says what a fresh instance makes of it. */
async function killAt(scenario: Scenario, { at, manner, worlds }: Death): Promise<string[]> {
  const stub = await setUp(scenario);
  let done = 0;
  const run = async (run: Run, state: DurableObjectState): Promise<void> => {
    const kill = new AbortingKill(state, at, manner);
    await runSteps(
      () => openScene(run, kill),
      scenario.steps,
      async (count) => {
        done = count;
        // An abort takes the writes of its own turn with it: only those of one step can be in it.
        await state.storage.sync();
      },
    );
    // The sync may take longer than the rest of the run.
    if (kill.where !== undefined) await new Promise(() => {});
  };
  const end = await inObject(stub, run, sources.get(scenario.name)).catch(String);
  if (end === undefined && !scenario.isConcurrent) return ["this boundary was not reached"];
  if (end !== undefined && !end.includes("killed")) return [end];
  return await judge(env.TEST_OBJECT.get(stub.id), worlds.slice(done, done + 2));
}

async function judge(stub: Stub, allowed: readonly string[]): Promise<string[]> {
  return await inObject(stub, async (run) => {
    const { storage, prefix } = run;
    const wrong = async (): Promise<string[]> => {
      const found = await damages(storage, bucketOptions(env.TEST_BUCKET, prefix));
      return allowed.includes(worldOf(storage)) ? found : [...found, "neither the state before nor the one after"];
    };
    const atOnce = await wrong();
    await maintain(openScene(run).store, { graceMs: 0 });
    const keys = async (): Promise<string[]> =>
      (await env.TEST_BUCKET.list({ prefix: `${prefix}/` })).objects.map(({ key }) => key);
    return [...atOnce, ...(await wrong()), ...(await orphans(storage, { keys }))];
  });
}

describe(`aborted at boundaries (TENREC_SEED=${seed})`, () => {
  test.each(scenarios)("$name", { timeout: 120_000 }, async (scenario) => {
    const random = randomNumbers(seed);
    const { boundaries, worlds } = await measure(scenario);
    expect(boundaries).toBeGreaterThan(0);
    const count = Math.min(boundaries, KILLS_PER_SCENARIO);
    for (let index = 0; index < count; index++) {
      const at = 1 + Math.floor(((index + random()) * boundaries) / count);
      for (const manner of ["at once", "after a sync"] as const) {
        expect([at, manner, await killAt(scenario, { at, manner, worlds })]).toEqual([at, manner, []]);
      }
    }
  });
});
