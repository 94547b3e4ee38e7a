import type { Clock } from "@tenrec/protocol";
import type { LifecycleJobOutcome, LifecycleJobs } from "agents/lifecycle";
import type { Driver } from "./driver.ts";

const DRIVE = "drive";
/** Name of the job that only wakes the object. */
export const WATCHDOG = "watchdog";

/** While a slice runs, an alarm is always due within this time, so that a dead object comes back soon. In milliseconds. */
const WATCHDOG_MS = 20_000;

/** When sessions could not be worked on at all, such as with the storage full, the next try. In milliseconds. */
const RETRY_MS = 30_000;

export interface DriveJobPorts {
  readonly jobs: Pick<LifecycleJobs, "get" | "push" | "cancel">;
  readonly clock: Clock;
  /** Calls `run` every `ms` milliseconds until the returned function is called. */
  readonly every: (ms: number, run: () => void) => () => void;
  /** Called after each slice, with what it left. */
  readonly onSlice: (left: Awaited<ReturnType<Driver["slice"]>>) => Promise<void>;
  /** The text of an error, as it may be logged. */
  readonly explain: (error: unknown) => string;
}

/** The job of the object's alarm that drives its sessions, slice by slice, and comes back after a crash. */
export class DriveJob {
  readonly #driver: () => Driver;
  readonly #ports: DriveJobPorts;
  #slice: ReturnType<Driver["slice"]> | undefined;

  /** `driver` may throw, such as when the agent's own fields do: the job is then tried again later. */
  constructor(driver: () => Driver, ports: DriveJobPorts) {
    this.#driver = driver;
    this.#ports = ports;
  }

  /** To be called when the object starts: a turn that a restart left unfinished goes on, without any client. */
  async resume(): Promise<void> {
    const { jobs, clock } = this.#ports;
    // A job that is due later was put off on purpose, such as after a lack of memory.
    const job = jobs.get(DRIVE);
    if (job && job.time > clock.now()) return;
    if (this.#hasWork()) await this.push();
  }

  /**
   * Something to do has come in for a session: it begins at once, since an alarm comes a write to the disk later. What the
   * slice throws here, it throws again in the job, which says so.
   */
  async schedule(session: string): Promise<void> {
    if (this.#driver().wake(session)) return;
    await this.push();
    void this.#work().catch(() => {});
  }

  /** The job itself. What a slice throws is a reason to try again later. */
  async run(): Promise<LifecycleJobOutcome> {
    const { jobs, clock, every, onSlice, explain } = this.#ports;
    const later = (): { rescheduleAt: number } => ({ rescheduleAt: clock.now() + RETRY_MS });
    // Where it cannot be pushed, such as with the storage full, the slice has the same trouble and says so.
    const stopWatchdog = every(WATCHDOG_MS / 2, () => void this.#pushWatchdog().catch(() => {}));
    try {
      const left = await this.#work();
      await onSlice(left);
      if (left === "done") return undefined;
      if (left === "left") return "yield";
      console.error(
        "tenrec: a session could not be worked on and is tried again later:",
        explain(this.#driver().trouble),
      );
      return later();
    } catch (error) {
      console.error("tenrec: a slice failed and is tried again later:", explain(error));
      return later();
    } finally {
      stopWatchdog();
      await jobs.cancel(WATCHDOG);
    }
  }

  async push(): Promise<void> {
    await this.#ports.jobs.push({
      id: DRIVE,
      fn: DRIVE,
      time: this.#ports.clock.now(),
      singleflight: true,
      // A slice ends within 14 minutes.
      hungTimeoutSeconds: 960,
      retry: { maxAttempts: 1 },
      recoveryLoop: true,
    });
  }

  /** The slice under way, else a new one. */
  async #work(): ReturnType<Driver["slice"]> {
    this.#slice ??= this.#driver()
      .slice()
      .finally(() => {
        this.#slice = undefined;
      });
    return this.#slice;
  }

  #hasWork(): boolean {
    try {
      return this.#driver().hasWork();
    } catch {
      // The agent's own fields throw; the job says so for each session, and a start that fails would refuse everybody.
      return true;
    }
  }

  /**
   * Lifecycle's own alarm of that kind fires once, 30 seconds into a job, and then not before the job counts as hung.
   */
  async #pushWatchdog(): Promise<void> {
    const { jobs, clock } = this.#ports;
    await jobs.push({ id: WATCHDOG, fn: WATCHDOG, time: clock.now() + WATCHDOG_MS });
  }
}
