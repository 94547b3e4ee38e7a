import { DurableObject } from "cloudflare:workers";
import type { Bucket } from "./src/bucket.ts";
import { maintain } from "./src/maintain.ts";
import { bigScenarios } from "./src/crash/with-big-scenarios.ts";
import type { KillSwitch } from "./src/crash/with-kill-switch.ts";
import { bucketOptions, createJournal, openScene, type Run, runSteps } from "./src/crash/with-run.ts";
import { type Scenario, type Scene, scenarios } from "./src/crash/with-scenarios.ts";
import { sha256 } from "./src/sha256.ts";
import { damages, orphans, worldOf } from "./src/crash/with-world.ts";

interface Env {
  readonly OBJECTS: DurableObjectNamespace<KillableObject>;
  readonly BUCKET: R2Bucket;
}

/** Where a run stops and waits for its death: the `nth` boundary of that name, counted from 1. */
export interface Gate {
  readonly id: string;
  readonly boundary: string;
  readonly nth: number;
}

/** What a scenario does when nothing kills it: the worlds around each step, and each boundary with the step it is in. */
export interface Measured {
  readonly worlds: readonly string[];
  readonly boundaries: readonly { readonly name: string; readonly step: number }[];
}

/** A request of the suite. */
export type Ask =
  | { readonly do: "set up"; readonly scenario: string }
  | { readonly do: "measure"; readonly scenario: string }
  | { readonly do: "run"; readonly scenario: string; readonly gate: Gate }
  | { readonly do: "commit"; readonly number: number }
  | { readonly do: "judge" };

export interface Verdict {
  readonly world: string;
  readonly problems: readonly string[];
  /** How many commits of the loop are there; -1 when one is missing among them. */
  readonly commits: number;
}

/** Tells the suite, also while nothing else can run, and stays there. */
class GateKill implements KillSwitch {
  readonly #gate: Gate;
  #met = 0;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  #isReached(name: string): boolean {
    if (name !== this.#gate.boundary || ++this.#met !== this.#gate.nth) return false;
    console.log(`reached ${this.#gate.id}.`);
    return true;
  }

  boundary(name: string): void {
    if (!this.#isReached(name)) return;
    // Nothing can be awaited here. Far longer than the suite takes.
    const bytes = new Uint8Array(1024 * 1024);
    for (let round = 0; round < 20_000; round++) sha256(bytes);
  }

  async asyncBoundary(name: string): Promise<void> {
    if (this.#isReached(name)) await new Promise(() => {});
  }
}

/** Says that a call is under way, and lets it go on. */
function tellingBucket(bucket: Bucket, gate: Gate): Bucket {
  const tell = <T>(name: string, call: Promise<T>): Promise<T> => {
    if (gate.boundary === `during ${name}`) console.log(`reached ${gate.id}.`);
    return call;
  };
  const upload = (made: ReturnType<Bucket["resumeMultipartUpload"]>): typeof made => ({
    uploadId: made.uploadId,
    uploadPart: (number, value) => tell("uploadPart", made.uploadPart(number, value)),
    complete: (parts) => tell("complete", made.complete(parts)),
    abort: () => made.abort(),
  });
  return {
    get: (key, options) => bucket.get(key, options),
    put: (key, value) => tell("put", bucket.put(key, value)),
    createMultipartUpload: async (key) => upload(await bucket.createMultipartUpload(key)),
    resumeMultipartUpload: (key, id) => upload(bucket.resumeMultipartUpload(key, id)),
    delete: (keys) => tell("delete", bucket.delete(keys)),
  };
}

class RecordingKill implements KillSwitch {
  readonly boundaries: { name: string; step: number }[] = [];
  step = 0;

  boundary(name: string): void {
    this.boundaries.push({ name, step: this.step });
  }

  async asyncBoundary(name: string): Promise<void> {
    this.boundary(name);
  }
}

function scenarioOf(name: string): Scenario {
  const found = [...scenarios, ...bigScenarios].find((scenario) => scenario.name === name);
  if (found === undefined) throw new Error(`there is no scenario "${name}"`);
  return found;
}

/** An object that the kill suite starts, kills and looks at again. */
export class KillableObject extends DurableObject<Env> {
  #source: Scene["source"];

  async ask(ask: Ask): Promise<unknown> {
    createJournal(this.ctx.storage);
    switch (ask.do) {
      case "set up":
        return await this.#setUp(scenarioOf(ask.scenario));
      case "measure":
        await this.#setUp(scenarioOf(ask.scenario));
        return await this.#measure(scenarioOf(ask.scenario));
      case "run":
        return await this.#runTo(scenarioOf(ask.scenario), ask.gate);
      case "commit":
        return await this.#commit(ask.number);
      case "judge":
        return await this.#judge();
    }
  }

  get #run(): Run {
    const { storage, id } = this.ctx;
    return { storage, bucket: this.env.BUCKET, prefix: id.toString(), now: Date.now, source: this.#source };
  }

  async #setUp(scenario: Scenario): Promise<void> {
    const scene = openScene(this.#run);
    await runSteps(() => scene, scenario.setup);
    this.#source = scene.source;
    await this.ctx.storage.sync();
  }

  async #measure(scenario: Scenario): Promise<Measured> {
    const kill = new RecordingKill();
    const worlds: string[] = [];
    const run = this.#run;
    await runSteps(
      () => openScene(run, kill),
      scenario.steps,
      (done) => {
        kill.step = done;
        worlds.push(worldOf(run.storage));
      },
    );
    return { worlds, boundaries: kill.boundaries };
  }

  async #runTo(scenario: Scenario, gate: Gate): Promise<void> {
    const run = { ...this.#run, bucket: tellingBucket(this.env.BUCKET, gate) };
    await runSteps(
      () => openScene(run, new GateKill(gate)),
      scenario.steps,
      () => this.ctx.storage.sync(),
    );
  }

  async #commit(number: number): Promise<number> {
    const scene = openScene(this.#run);
    const { store } = scene;
    if (number === 0) store.setHead("main", store.emptyTree);
    using overlay = store.overlay(store.head("main"));
    await overlay.writeFile(`/commits/${number}`, `number ${number}`);
    store.commit("main", await store.stage(overlay), ({ head, tree }) => {
      this.ctx.storage.sql.exec("INSERT INTO journal (head, tree) VALUES (?, ?)", head, tree);
    });
    return number;
  }

  async #judge(): Promise<Verdict> {
    const run = this.#run;
    const options = bucketOptions(this.env.BUCKET, run.prefix);
    const atOnce = await damages(run.storage, options);
    const world = worldOf(run.storage);
    await maintain(openScene(run).store, { graceMs: 0 });
    const after = await damages(run.storage, options);
    const moved = worldOf(run.storage) === world ? [] : ["a maintenance changed what is visible"];
    const keys = async (): Promise<string[]> =>
      (await this.env.BUCKET.list({ prefix: `${run.prefix}/` })).objects.map(({ key }) => key);
    const left = await orphans(run.storage, { keys });
    return { world, problems: [...atOnce, ...after, ...moved, ...left], commits: await this.#countCommits() };
  }

  async #countCommits(): Promise<number> {
    const { store, storage } = openScene(this.#run);
    const rows = storage.sql.exec<{ tree: string }>("SELECT tree FROM journal ORDER BY id").toArray();
    const head = rows.at(-1)?.tree;
    if (head === undefined || head !== store.head("main")) return head === undefined ? 0 : -1;
    using overlay = store.overlay(head);
    if (!(await overlay.exists("/commits"))) return 0;
    const names = await overlay.readdir("/commits");
    for (let number = 0; number < names.length; number++) {
      const text = await overlay.readFile(`/commits/${number}`).catch(() => "");
      if (text !== `number ${number}`) return -1;
    }
    return names.length === rows.length ? names.length : -1;
  }
}

const worker: ExportedHandler<Env> = {
  async fetch(request, env) {
    const name = new URL(request.url).pathname;
    if (request.method !== "POST") return new Response("ready");
    const stub = env.OBJECTS.get(env.OBJECTS.idFromName(name));
    try {
      const ask = await request.json<Ask>();
      const answer: unknown = await (stub.ask(ask) as Promise<unknown>);
      return Response.json(answer ?? null);
    } catch (error) {
      return new Response(String(error), { status: 500 });
    }
  },
};

export default worker;
