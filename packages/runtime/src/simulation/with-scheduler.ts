import type { Clock } from "@tenrec/protocol";
import { setImmediate } from "node:timers/promises";
import type { Chance } from "./with-chance.ts";

interface Wait {
  readonly due: number;
  /** The instance that waits; undefined for the world outside. */
  readonly owner: object | undefined;
  readonly label: string;
  readonly run: () => void;
}

/**
 * Owns every wait of a simulation, in time of its own: one wait ends at a time, chance says which of those that are due, and
 * sometimes time leaps ahead so that late ones come out of order.
 */
export class Scheduler {
  #now = 1_000_000;
  readonly #chance: Chance;
  readonly #waits: Wait[] = [];

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  get now(): number {
    return this.#now;
  }

  /** Calls `run` in `ms` milliseconds or later, unless the returned function was called before. */
  after(owner: object | undefined, ms: number, label: string, run: () => void): () => void {
    const wait: Wait = { due: this.#now + ms, owner, label, run };
    this.#waits.push(wait);
    return () => this.#remove(wait);
  }

  /** An await boundary: something else may come first. */
  pause(owner: object | undefined, label: string, ms: number = this.#chance.below(50)): Promise<void> {
    return new Promise((resolve) => {
      this.after(owner, ms, label, resolve);
    });
  }

  clockOf(owner: object): Clock {
    return {
      now: () => this.#now,
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          if (signal?.aborted) return reject(signal.reason);
          const onAbort = (): void => {
            cancel();
            reject(signal?.reason);
          };
          const cancel = this.after(owner, Math.max(0, ms), "sleep", () => {
            signal?.removeEventListener("abort", onAbort);
            resolve();
          });
          signal?.addEventListener("abort", onAbort, { once: true });
        }),
    };
  }

  /** Ends one wait, once all code has run up to its own waits. False when there is none left to end. */
  async step(): Promise<string | undefined> {
    await this.settle();
    if (this.#waits.length === 0) return undefined;
    const first = Math.min(...this.#waits.map(({ due }) => due));
    this.#now = Math.max(this.#now, first);
    if (this.#chance.is(0.02)) this.#now += this.#chance.below(60_000);
    const wait = this.#chance.pick(this.#waits.filter(({ due }) => due <= this.#now));
    this.#remove(wait);
    wait.run();
    return wait.label;
  }

  /** Lets all code run up to its next wait. */
  async settle(): Promise<void> {
    await setImmediate();
    await setImmediate();
  }

  /** Forgets the waits of an instance that is gone. */
  drop(owner: object): void {
    for (const wait of this.#waits.filter((each) => each.owner === owner)) this.#remove(wait);
  }

  waitsOf(owner: object): string[] {
    return this.#waits.filter((wait) => wait.owner === owner).map(({ label }) => label);
  }

  #remove(wait: Wait): void {
    const index = this.#waits.indexOf(wait);
    if (index >= 0) this.#waits.splice(index, 1);
  }
}
