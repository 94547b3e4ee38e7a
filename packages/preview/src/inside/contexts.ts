interface Context {
  readonly abort: (reason: unknown) => void;
  readonly waitUntil: (promise: unknown) => void;
}

/** What the platform gives to each request and object, and what it can end them by. */
export interface Contexts {
  /** Whether a context of a request is one that the platform has made, and nobody has asked about yet. */
  readonly isNew: (context: unknown) => boolean;
  /** Takes the context of an object, for `end`. */
  readonly adopt: (context: unknown) => void;
  /** Ends whatever runs, of any context, so that this does not return; before there was one, it does. */
  readonly end: (reason: string) => void;
}

const { apply } = Reflect;

class Same {
  constructor(value: object) {
    return value;
  }
}

/** A mark on an object that nobody else can see, make or take away. */
class Seen extends Same {
  readonly #isSeen = true;

  static has(value: object): boolean {
    return #isSeen in value && value.#isSeen;
  }
}

/** `now` is 0 while modules start: whoever has a context by then has made it up. */
export function createContexts(now: () => number): Contexts {
  let real: Context["waitUntil"] | undefined;
  let end: ((reason: string) => void) | undefined;
  /** The platform refuses to call its own functions on anything else. */
  const isReal = (context: Context): boolean => {
    try {
      real ??= context.waitUntil;
      apply(real, context, [undefined]);
      return true;
    } catch {
      return false;
    }
  };
  return {
    isNew(context) {
      if (now() === 0 || typeof context !== "object" || context === null || Seen.has(context)) return false;
      const isFirst = real === undefined;
      if (!isReal(context as Context)) return false;
      new Seen(context);
      // It ends the context that runs, whichever it was made of.
      const { abort } = context as Context;
      if (isFirst) end = (reason) => apply(abort, context, [reason]);
      return true;
    },
    adopt(context) {
      if (now() === 0 || end || typeof context !== "object" || context === null) return;
      const { abort } = context as Context;
      end = (reason) => apply(abort, context, [reason]);
    },
    end: (reason) => end?.(reason),
  };
}
