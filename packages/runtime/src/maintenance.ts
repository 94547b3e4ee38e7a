import { gitStore } from "./call-git.ts";
import { type Clock, errorJson } from "@tenrec/protocol";
import { maintain } from "@tenrec/vfs";
import type { LifecycleJobOutcome, LifecycleJobs } from "agents/lifecycle";
import { deleteLeftovers } from "./delete-session.ts";
import type { Workspace } from "./workspace.ts";

/** Name of its job. */
export const MAINTENANCE = "maintenance";

/** From the first work since the last maintenance to the next one. In milliseconds. */
const DELAY_MS = 10 * 60_000;

/** After one that failed, such as with the bucket away. In milliseconds. */
const RETRY_MS = 60 * 60_000;

/**
 * Frees what no session refers to any more and moves large files to the bucket, some time after work was done. Gives way
 * to a session that has something to do: jobs of an object run one after another.
 */
export class Maintenance {
  readonly #workspace: Pick<Workspace, "trees" | "journal" | "storage">;
  readonly #jobs: LifecycleJobs;
  readonly #clock: Clock;
  #running: AbortController | undefined;

  constructor(workspace: Pick<Workspace, "trees" | "journal" | "storage">, jobs: LifecycleJobs, clock: Clock) {
    this.#workspace = workspace;
    this.#jobs = jobs;
    this.#clock = clock;
  }

  /** Plans one, unless it is planned. */
  async plan(): Promise<void> {
    if (this.#jobs.get(MAINTENANCE)) return;
    await this.#jobs.push({ id: MAINTENANCE, fn: MAINTENANCE, time: this.#clock.now() + DELAY_MS });
  }

  /** The job. It never fails: what could not be done is tried again later. */
  async run(): Promise<LifecycleJobOutcome> {
    const { trees, journal, storage } = this.#workspace;
    const running = new AbortController();
    this.#running = running;
    try {
      // First: what is left of a deleted session would keep its trees.
      await deleteLeftovers(storage, running.signal);
      await maintain(trees, { keep: journal.trees(), signal: running.signal });
      gitStore({ storage, clock: this.#clock }).sweep();
      return undefined;
    } catch (error) {
      if (running.signal.aborted) return { rescheduleAt: this.#clock.now() + DELAY_MS };
      console.error("tenrec: maintenance failed and is tried again later:", errorJson(error).message);
      return { rescheduleAt: this.#clock.now() + RETRY_MS };
    } finally {
      this.#running = undefined;
    }
  }

  /** Stops one that runs; it is done later. */
  giveWay(): void {
    this.#running?.abort(new Error("a session has something to do"));
  }
}
