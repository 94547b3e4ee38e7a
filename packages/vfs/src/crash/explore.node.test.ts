import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { maintain } from "../maintain.ts";
import { createNodeStorage, type NodeStorage } from "../testing/node-storage.ts";
import { CountingKill } from "./with-kill-switch.ts";
import { MemoryBucket } from "./with-memory-bucket.ts";
import { bucketOptions, createJournal, openScene, randomNumbers, type Run, runSteps } from "./with-run.ts";
import { type Scenario, type Scene, scenarios } from "./with-scenarios.ts";
import { damages, orphans, worldOf } from "./with-world.ts";

const seed = Number(process.env["TENREC_SEED"] ?? Math.floor(Math.random() * 1e9));

/** All boundaries of every scenario are too many for each test run: `npm run test:kill` dies at each of them. */
const isThorough = process.env["TENREC_CRASH"] === "all";
const KILLS_PER_SCENARIO = 6;

/** A database on disk and a bucket, as one process leaves them to the next. */
interface Left {
  readonly file: string;
  readonly bucket: MemoryBucket;
  readonly source: Scene["source"];
}

let folder: string;
let clock = 1_000_000;
const now = (): number => ++clock;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tenrec-crash-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs what a process does and ends it: what was not committed is gone. */
async function inProcess<T>({ file, bucket, source }: Left, run: (run: Run & { storage: NodeStorage }) => Promise<T>) {
  const storage = createNodeStorage(file);
  // Durable enough against the death of a connection.
  storage.sql.exec("PRAGMA synchronous = OFF");
  storage.sql.exec("PRAGMA journal_mode = MEMORY");
  createJournal(storage);
  try {
    return await run({ storage, bucket, now, source });
  } finally {
    storage.close();
  }
}

function copyOf({ file, bucket, source }: Left, name: string): Left {
  const copy = join(folder, name);
  copyFileSync(file, copy);
  return { file: copy, bucket: bucket.clone(), source };
}

async function setUp(scenario: Scenario): Promise<Left> {
  const left = { file: join(folder, "template.db"), bucket: new MemoryBucket(), source: undefined };
  rmSync(left.file, { force: true });
  return await inProcess(left, async (run) => {
    if (scenario.setup.length === 0) return left;
    const scene = openScene(run);
    await runSteps(() => scene, scenario.setup);
    return { ...left, source: scene.source };
  });
}

/** How many boundaries a scenario has, and the worlds before and after each step. */
async function measure(scenario: Scenario, template: Left): Promise<{ boundaries: number; worlds: string[] }> {
  return await inProcess(copyOf(template, "measured.db"), async (run) => {
    const kill = new CountingKill();
    const worlds: string[] = [];
    await runSteps(
      () => openScene(run, kill),
      scenario.steps,
      () => worlds.push(worldOf(run.storage)),
    );
    return { boundaries: kill.count, worlds };
  });
}

/** Kills a run; says at which boundary, and which worlds are allowed then. */
async function killAt(scenario: Scenario, left: Left, { at, worlds }: { at: number; worlds: readonly string[] }) {
  const kill = new CountingKill(at);
  let done = 0;
  await inProcess(left, async (run) => {
    const steps = runSteps(
      () => openScene(run, kill),
      scenario.steps,
      (count) => (done = count),
    );
    // What is still waiting then is a process that is no more.
    await Promise.race([steps, kill.died]);
  });
  return { where: kill.where, allowed: worlds.slice(done, done + 2) };
}

/** Kills a maintenance at a random boundary. */
async function killMaintenance(left: Left, random: () => number): Promise<string | undefined> {
  const boundaries = await inProcess(copyOf(left, "counted.db"), async (run) => {
    const kill = new CountingKill();
    await maintain(openScene(run, kill).store, { graceMs: 0 });
    return kill.count;
  });
  const kill = new CountingKill(1 + Math.floor(random() * boundaries));
  await inProcess(left, (run) =>
    runSteps(() => openScene(run, kill), [({ store }) => maintain(store, { graceMs: 0 })]),
  );
  return kill.where;
}

/** What is wrong after a kill, and what is wrong or left over once a maintenance was through. */
async function judge(left: Left, allowed: readonly string[]): Promise<string[]> {
  return await inProcess(left, async (run) => {
    const { storage } = run;
    const { bucket } = left;
    const wrong = async (): Promise<string[]> => {
      const found = await damages(storage, bucketOptions(bucket));
      return allowed.includes(worldOf(storage)) ? found : [...found, "neither the state before nor the one after"];
    };
    const atOnce = await wrong();
    await maintain(openScene(run).store, { graceMs: 0 });
    const keys = async (): Promise<string[]> => [...bucket.objects.keys()];
    // One without parts is nothing that anybody keeps.
    const openUploads = (): number => [...bucket.uploads.values()].filter((parts) => parts.size > 0).length;
    return [...atOnce, ...(await wrong()), ...(await orphans(storage, { keys, openUploads }))];
  });
}

/** Which boundaries to die at: all of them, or some that the seed chooses. */
function chosen(boundaries: number, random: () => number): number[] {
  const all = Array.from({ length: boundaries }, (_, index) => index + 1);
  if (isThorough) return all;
  const stride = Math.max(1, boundaries / KILLS_PER_SCENARIO);
  const offset = random() * stride;
  return all.filter((at) => Math.floor((at - 1 + offset) / stride) !== Math.floor((at - 2 + offset) / stride));
}

async function explore(scenario: Scenario): Promise<{ killed: number; found: Record<string, string[]> }> {
  const random = randomNumbers(seed);
  const template = await setUp(scenario);
  const { boundaries, worlds } = await measure(scenario, template);
  const found: Record<string, string[]> = {};
  let killed = 0;
  for (const at of chosen(boundaries, random)) {
    const left = copyOf(template, "killed.db");
    const { where, allowed } = await killAt(scenario, left, { at, worlds });
    if (where !== undefined) killed++;
    else if (!scenario.isConcurrent) found[`${at}`] = ["this boundary was not reached"];
    const isTwice = random() < 0.3;
    const twice = isTwice ? copyOf(left, "twice.db") : left;
    const problems = await judge(left, allowed);
    if (problems.length > 0) found[`${at}: ${where}`] = problems;
    if (!isTwice) continue;
    const again = await killMaintenance(twice, random);
    const more = await judge(twice, allowed);
    if (more.length > 0) found[`${at}: ${where}, then in the maintenance: ${again}`] = more;
  }
  return { killed, found };
}

describe(`killed at boundaries, some twice (TENREC_SEED=${seed})`, () => {
  test.each(scenarios)("$name", { timeout: 120_000 }, async (scenario) => {
    const { killed, found } = await explore(scenario);
    expect(found).toEqual({});
    expect(killed).toBeGreaterThan(0);
  });
});
