/**
 * A workaround of just-bash, whose sed and awk work through an input without letting go of the event loop: no timer and no
 * abort comes through. They wait for the files that they read, so their programs are made to read this one now and then.
 * It is in no folder.
 */
export const PAUSE_FILE = "/dev/.pause";

/** Lines of sed, or rounds of a loop of awk, between two reads: a few milliseconds. */
export const PAUSE_EVERY = 500;

/** What reading the file waits for. Once the signal is aborted it never ends, and with it what just-bash still does. */
export async function pause(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  if (signal.aborted) await new Promise(() => undefined);
}
