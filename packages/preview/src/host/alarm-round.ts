import type { Alarms, DueAlarm } from "./alarms.ts";

/**
 * How many alarms ring at a time, of one session and of all. Of sessions, fewer than the apps that an object keeps loaded: an
 * app that is let go reaches its bindings no more.
 */
const MOST_OF_SESSION = 4;
const MOST_RINGING = 8;

/** What a timer can wait for, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

export interface AlarmRoundOptions {
  readonly alarms: Alarms;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Finds the handler of an alarm; undefined where its app cannot run. Every handler must have an end. */
  readonly find: (due: DueAlarm) => Promise<(() => Promise<void>) | undefined>;
}

/** Rings alarms side by side, so that one without an end keeps no other one waiting. */
export class AlarmRound {
  readonly #options: AlarmRoundOptions;
  /** Which session each alarm that rings is of. */
  readonly #ringing = new Map<Promise<void>, string>();
  #round: Promise<void> | undefined;
  /** Makes the round look what is due now. */
  #look: (() => void) | undefined;

  constructor(options: AlarmRoundOptions) {
    this.#options = options;
  }

  /** Rings what is due, and what becomes due meanwhile. Ends when nothing rings any more; one round at a time. */
  run(): Promise<void> {
    this.#look?.();
    this.#round ??= this.#run().finally(() => (this.#round = undefined));
    return this.#round;
  }

  async #run(): Promise<void> {
    for (;;) {
      this.#begin();
      if (this.#ringing.size === 0) return;
      await this.#untilSomeEnds();
    }
  }

  #begin(): void {
    const { alarms, find } = this.#options;
    while (this.#ringing.size < MOST_RINGING) {
      const sessions = [...this.#ringing.values()];
      const busy = sessions.filter((one) => sessions.filter((each) => each === one).length >= MOST_OF_SESSION);
      const due = alarms.due(busy);
      if (!due) return;
      const ringing = alarms.ring(due, () => find(due)).finally(() => this.#ringing.delete(ringing));
      this.#ringing.set(ringing, due.session);
    }
  }

  /** Or until another one is due, which may begin at once where there is room for it. */
  async #untilSomeEnds(): Promise<void> {
    const { alarms, now } = this.#options;
    const later = alarms.later();
    const { promise: isDue, resolve } = Promise.withResolvers<void>();
    this.#look = resolve;
    const timer = later === undefined ? undefined : setTimeout(resolve, Math.min(later - now(), LONGEST_TIMER));
    try {
      await Promise.race([...this.#ringing.keys(), isDue]);
    } finally {
      clearTimeout(timer);
    }
  }
}
