import type { Clock } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";

/** Longest silence before a model's first word; a reasoning model may think for minutes. In milliseconds. */
export const FIRST_WORD_MS: number = 5 * 60_000;
/** Longest silence within an answer. In milliseconds. */
export const STALL_MS: number = 2 * 60_000;

/** A model that fell silent; before its first word, or within an answer. */
export class Silence extends TenrecError<"timeout"> {
  constructor(ms: number) {
    super("timeout", { what: "The model's answer", ms });
  }
}

/** Watches over a stream that may fall silent. */
export interface StallWatchdog extends Disposable {
  /** Aborts with `Silence` when the stream has been silent for too long. */
  readonly signal: AbortSignal;
  /** True once the stream has said something. */
  readonly started: boolean;
  /** Something came. */
  heard(): void;
}

export function stallWatchdog(clock: Clock): StallWatchdog {
  const stalled = new AbortController();
  const over = new AbortController();
  let started = false;
  let heardAt = clock.now();
  const watch = async (): Promise<void> => {
    for (;;) {
      const limit = started ? STALL_MS : FIRST_WORD_MS;
      const left = heardAt + limit - clock.now();
      if (left <= 0) {
        stalled.abort(new Silence(limit));
        return;
      }
      await clock.sleep(left, over.signal);
    }
  };
  // Ends by the abort of `over`, which is no failure.
  watch().catch(() => {});
  return {
    signal: stalled.signal,
    get started() {
      return started;
    },
    heard() {
      started = true;
      heardAt = clock.now();
    },
    [Symbol.dispose]() {
      over.abort();
    },
  };
}
