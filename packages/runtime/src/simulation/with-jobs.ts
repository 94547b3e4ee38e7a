import type { LifecycleJobOutcome } from "agents/lifecycle";
import type { DriveJobPorts } from "../drive-job.ts";

interface Job {
  readonly id: string;
  readonly fn: string;
  readonly time: number;
  /** While it runs, when it counts as hung. A job whose runner died waits for that, unless it is pushed again. */
  hungAt?: number;
}

/** As the drive job asks for. In milliseconds. */
const HUNG_MS = 960_000;

function dueAt({ time, hungAt }: Job): number {
  return hungAt ?? time;
}

type Jobs = DriveJobPorts["jobs"];

/** The jobs of an object, which outlive its instances: at least once, one run of a job at a time. */
export class JobTable {
  readonly #jobs = new Map<string, Job>();

  names(): string[] {
    return [...this.#jobs.keys()];
  }

  /** The table as one instance may use it. */
  portOf(isCurrent: () => boolean): Jobs {
    const check = (): void => {
      if (!isCurrent()) throw new Error("the object was reset");
    };
    const shown = (job: Job) => ({ ...job }) as unknown as ReturnType<Jobs["get"]>;
    return {
      get: (id) => {
        check();
        const job = this.#jobs.get(id);
        return job && shown(job);
      },
      push: async (options) => {
        check();
        const { fn, time, id = fn } = options;
        const job: Job = { id, fn, time };
        this.#jobs.set(id, job);
        return shown(job) as Awaited<ReturnType<Jobs["push"]>>;
      },
      cancel: async (id) => {
        check();
        return this.#jobs.delete(id);
      },
    };
  }

  /** A job that is due, to be run from now on. */
  take(now: number): Job | undefined {
    const job = [...this.#jobs.values()].find((each) => dueAt(each) <= now);
    if (job) job.hungAt = now + HUNG_MS;
    return job;
  }

  /** When the next one is due; undefined when there is none. */
  nextDue(): number | undefined {
    return this.#jobs.size > 0 ? Math.min(...[...this.#jobs.values()].map(dueAt)) : undefined;
  }

  /** When a job is due, by its name; undefined when there is none. */
  dueOf(name: string): number | undefined {
    const job = this.#jobs.get(name);
    return job && dueAt(job);
  }

  end(job: Job, outcome: LifecycleJobOutcome, now: number): void {
    // One that was pushed meanwhile is another one.
    if (this.#jobs.get(job.id) !== job) return;
    if (outcome === undefined) this.#jobs.delete(job.id);
    else this.#jobs.set(job.id, { id: job.id, fn: job.fn, time: outcome === "yield" ? now : outcome.rescheduleAt });
  }
}
