/** More of a text nobody reads. In UTF-16 units. */
const MOST_TEXT = 10_000;
/** In each second; of more, the first say it. */
const MOST_LINES = 1000;

const LEVELS = ["debug", "error", "info", "log", "trace", "warn"] as const;
type Level = (typeof LEVELS)[number];
export type ConsoleLike = Record<Level, (...args: unknown[]) => void>;

/**
 * Writes out errors with their stacks, which a trace leaves out, and an app that answers for its exceptions only logs them. Cuts what an app says before the runtime takes it: locally it is written out while everybody waits, and deployed what is told
 * of a request has a size. `now` is in milliseconds.
 */
export function capConsole(target: ConsoleLike, now: () => number): void {
  let second = 0;
  let lines = 0;
  for (const level of LEVELS) {
    const say = target[level].bind(target);
    target[level] = (...args) => {
      const current = Math.floor(now() / 1000);
      if (current !== second) {
        second = current;
        lines = 0;
      }
      lines += 1;
      if (lines < MOST_LINES) say(...args.map((value) => cut(withStack(value))));
      else if (lines === MOST_LINES) say("[more lines in this second are left out]");
    };
  }
}

function withStack(value: unknown): unknown {
  try {
    return value instanceof Error && typeof value.stack === "string" ? value.stack : value;
  } catch {
    // What throws when it is looked at is the console's to show.
    return value;
  }
}

function cut(value: unknown): unknown {
  if (typeof value !== "string" || value.length <= MOST_TEXT) return value;
  return `${value.slice(0, MOST_TEXT)}… [${value.length} characters]`;
}
