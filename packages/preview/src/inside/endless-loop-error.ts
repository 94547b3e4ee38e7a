/** Its name, in whatever tells of it. */
export const ENDLESS_LOOP = "EndlessLoopError";

/** Why an app was stopped. What an app does to `Error` and its prototype changes nothing about it. */
export class EndlessLoopError extends Error {
  override readonly name: string = ENDLESS_LOOP;

  constructor(what: string) {
    super(`The app was stopped: ${what}. Look for a loop or a recursion without an end.`);
  }
}

const OwnError = Error;
const { defineProperty } = Object;
// An app may have one of its own.
const captureStackTrace = OwnError.captureStackTrace.bind(OwnError);

/**
 * Puts where it was into the message, which is what gets over the boundary of an isolate: of the stack those frames that `step`
 * was called by. Throws where the app has overwritten what that takes.
 */
export function takeStack(error: EndlessLoopError, step: () => void): void {
  captureStackTrace(error, step);
  const frames = error.stack?.slice(error.stack.indexOf("\n    at ")) ?? "";
  defineProperty(error, "message", { value: error.message + frames });
}

/**
 * Lets the app write stacks in its own way, until it was stopped: whoever reads a stack then would run the app, and the
 * platform does not expect that to fail.
 */
export function ownStackFormat(isStopped: () => boolean): void {
  let format: unknown;
  defineProperty(OwnError, "prepareStackTrace", {
    get: () => (isStopped() ? undefined : format),
    set: (value) => void (format = value),
  });
}
