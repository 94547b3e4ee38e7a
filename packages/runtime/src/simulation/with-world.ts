import { createNodeStorage, type NodeStorage } from "@tenrec/vfs/testing";
import { decide } from "../loop.ts";
import { plainConfig } from "../with-plain-config.ts";
import type { SocketHost } from "../sockets.ts";
import { Chance } from "./with-chance.ts";
import { createInstance, type Instance, prepareStorage } from "./with-instance.ts";
import { JobTable } from "./with-jobs.ts";
import { type ProviderCall, seededModel } from "./with-model.ts";
import { type Plan, planOf } from "./with-plan.ts";
import { Scheduler } from "./with-scheduler.ts";
import { type Fate, mortalStorage } from "./with-storage.ts";
import { seededExecutor, seededTools } from "./with-tools.ts";

/** An instance of the object, from its start until it is forgotten. */
interface Life {
  readonly instance: Instance | undefined;
  /** Its storage throws. */
  isDead: boolean;
  /** The storage took its claim. */
  hasClaimed: boolean;
  /** A job runs: those of an object run one after another. */
  isBusy: boolean;
}

/** A socket as the platform keeps it, also while the object sleeps. */
export interface PlatformSocket {
  readonly tags: readonly string[];
  send(message: string): void;
}

/** Events that a loop may write before it waits for something outside. */
const MAX_AT_ONCE = 300;

/** An instance that begins goes on within this time; when its work was put off, in that time. In milliseconds. */
const SOON_MS = 31_000;

/** What only an instance may write that has fenced off all others. */
const WORKS = /^\{"type":"(turn-start|step-start|effect|tool-result)"/;

const DEATH = "the object was reset";

/**
 * The object and what is around it: storage and jobs that outlive its instances, sockets, a provider and an executor. An
 * instance dies where chance says so; the next event outside makes a new one on the same storage.
 */
export class World {
  readonly chance: Chance;
  readonly plan: Plan;
  readonly scheduler: Scheduler;
  readonly storage: NodeStorage = createNodeStorage();
  readonly jobs = new JobTable();
  readonly calls: ProviderCall[] = [];
  /** Calls whose tools had an effect outside, once for each effect. */
  readonly effects: string[] = [];
  /** Calls in which the object died every time, once for each time. */
  readonly traps: string[] = [];
  /** Every event in the order in which it became durable, as `session seq`. */
  readonly durable: string[] = [];
  readonly sockets = new Set<PlatformSocket>();
  /** What happened, for who replays a seed. */
  readonly trace: string[] = [];
  kills = 0;
  /** Writes that met a full storage. */
  refused = 0;
  mayKill = true;
  readonly violations: string[] = [];
  /** The loop went on and on without waiting for anything, and was stopped. */
  isCircling = false;
  #eventsAtOnce = 0;
  #full = 0;
  #life: Life | undefined;
  /** The newest, until it was looked at. */
  #begun: Life | undefined;
  #count = 0;
  onReset: () => void = () => {};

  constructor(seed: number) {
    this.chance = new Chance(seed);
    this.plan = planOf(this.chance);
    this.scheduler = new Scheduler(this.chance);
    prepareStorage(this.storage, this.plan.sessions, (session) => `seeded/${session}`);
    for (const session of this.plan.sessions) this.durable.push(`${session} 1`);
  }

  count(): number {
    this.#count += 1;
    return this.#count;
  }

  isCurrent(life: object): boolean {
    return this.#life === life && !(life as Life).isDead;
  }

  get isAwake(): boolean {
    return this.#life !== undefined;
  }

  /** Waits of the instance that is there; what is idle has none. */
  waits(): string[] {
    return this.#life ? this.scheduler.waitsOf(this.#life) : [];
  }

  /** The instance that answers now, a new one when there is none. Throws when it dies while it starts. */
  instance(): Instance {
    const life = this.#life ?? this.#begin();
    if (!life.instance) throw new Error(DEATH);
    return life.instance;
  }

  /** Everything in memory is gone. What the instance was doing ends there, or goes on for a while without a storage. */
  kill(why: string, inCommit = false): void {
    const life = this.#life;
    if (!life) return;
    this.kills += 1;
    this.trace.push(`${this.scheduler.now} kill ${why}`);
    this.#life = undefined;
    this.sockets.clear();
    const isZombie = this.chance.is(this.plan.zombies);
    // A storage that is full takes no claim, and only the platform fences an old instance off.
    const isFenced = life.hasClaimed && this.scheduler.now >= this.#full;
    const isWritable = isFenced && isZombie && !inCommit && this.chance.is(this.plan.fencedByEpochAlone);
    life.isDead = !isWritable;
    if (!isZombie) this.scheduler.drop(life);
    this.onReset();
    this.scheduler.after(undefined, this.chance.below(30_000), "alarm", () => this.#wake());
    // A successor that has not begun fences nobody off.
    if (isWritable) this.#wake();
  }

  /** The object sleeps: its memory is gone, its sockets stay. */
  sleep(): void {
    const life = this.#life;
    if (!life || this.waits().length > 0) return;
    this.trace.push(`${this.scheduler.now} sleep`);
    life.isDead = true;
    this.#life = undefined;
  }

  /** Starts the jobs that are due. */
  runJobs(): void {
    this.#eventsAtOnce = 0;
    this.#checkStart();
    while (this.jobs.nextDue() !== undefined && (this.jobs.nextDue() ?? 0) <= this.scheduler.now) {
      const instance = this.#wake();
      const life = this.#life;
      if (!instance || !life || life.isBusy) return;
      const job = this.jobs.take(this.scheduler.now);
      if (!job) return;
      life.isBusy = true;
      this.trace.push(`${this.scheduler.now} job ${job.fn}`);
      const run = job.fn === "watchdog" ? Promise.resolve(undefined) : instance.drive.run();
      run.then(
        (outcome) => {
          life.isBusy = false;
          if (!this.isCurrent(life)) return;
          this.jobs.end(job, outcome, this.scheduler.now);
          // An alarm may come twice.
          if (this.chance.is(0.1)) void instance.drive.push().catch(() => {});
        },
        () => {},
      );
    }
  }

  setFull(ms: number): void {
    this.#full = this.scheduler.now + ms;
    this.trace.push(`${this.scheduler.now} full`);
  }

  /** An instance that has begun sees to it that what is left to do is done soon. */
  #checkStart(): void {
    const life = this.#begun;
    this.#begun = undefined;
    if (!life?.instance || !this.isCurrent(life) || life.isBusy) return;
    const { journal, config } = life.instance.workspace;
    const left = this.plan.sessions.filter((session) => {
      const { type } = decide(journal.state(session), config.budget);
      return type !== "idle" && type !== "park";
    });
    const due = this.jobs.dueOf("drive") ?? Number.POSITIVE_INFINITY;
    if (left.length > 0 && due > this.scheduler.now + SOON_MS) {
      this.violations.push(`I7: ${left.join(" and ")} would wait until ${due} for the work to go on`);
    }
  }

  #wake(): Instance | undefined {
    try {
      return this.instance();
    } catch {
      return undefined;
    }
  }

  #fate(life: Life): Fate {
    if (!this.mayKill || this.#life !== life || !this.chance.is(this.plan.killAtCommit)) return "none";
    return this.chance.is(0.5) ? "before" : "after";
  }

  #begin(): Life {
    const life: { -readonly [K in keyof Life]: Life[K] } = {
      instance: undefined,
      isDead: false,
      isBusy: false,
      hasClaimed: false,
    };
    this.#life = this.#begun = life;
    this.trace.push(`${this.scheduler.now} begin`);
    const check = (): void => {
      if (life.isDead) throw new Error(DEATH);
    };
    const storage = mortalStorage(this.storage, {
      check,
      fate: () => this.#fate(life),
      die: () => this.kill("at a commit", true),
      isFull: () => {
        const isFull = this.scheduler.now < this.#full;
        if (isFull) this.refused += 1;
        return isFull;
      },
      onClaim: () => {
        life.hasClaimed = true;
      },
      onEvent: (session, seq, body) => {
        if (!life.hasClaimed && WORKS.test(body)) {
          this.violations.push(`I6: an instance that has not claimed the journal writes event ${session} ${seq}`);
        }
        this.durable.push(`${session} ${seq}`);
        this.#eventsAtOnce += 1;
        if (this.#eventsAtOnce > MAX_AT_ONCE) this.isCircling = life.isDead = true;
        this.trace.push(`${this.scheduler.now} event ${session} ${seq}`);
      },
    });
    const { scheduler } = this;
    const host: SocketHost = {
      accept: (socket, tags) => this.sockets.add(Object.assign(socket as unknown as PlatformSocket, { tags })),
      get: (tag) => {
        const own = this.isCurrent(life) ? [...this.sockets].filter((socket) => socket.tags.includes(tag)) : [];
        return own as unknown as WebSocket[];
      },
    };
    const every = (ms: number, run: () => void): (() => void) => {
      let cancel = (): void => {};
      const again = (): void => {
        cancel = scheduler.after(life, ms, "every", () => {
          again();
          run();
        });
      };
      again();
      return () => cancel();
    };
    life.instance = createInstance({
      storage,
      clock: scheduler.clockOf(life),
      random: () => this.chance.next(),
      config: {
        ...plainConfig("seeded/s", async (model) => {
          await scheduler.pause(life, "model");
          return seededModel(this, model.replace("seeded/", ""), life);
        }),
        policy: { execute: "deny", rules: [{ bash: "npm", verdict: "allow" }] },
        budget: { turn: { steps: 30 } },
        executors: [seededExecutor(this, life)],
        tools: (base) => seededTools(this, life, base),
      },
      sockets: host,
      jobs: this.jobs.portOf(() => this.isCurrent(life)),
      every,
    });
    void life.instance.drive.resume().catch(() => {});
    return life;
  }
}
