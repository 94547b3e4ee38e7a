import { CachesStandIn } from "./cache-storage.ts";

// Like the environment, these are there from the first line of the app on.
Object.defineProperty(globalThis, "caches", { value: new CachesStandIn(() => Date.now()), configurable: true });

// A trace has the message alone of an error that was logged, and an app that answers for its exceptions only logs them.
for (const level of ["debug", "error", "info", "log", "warn"] as const) {
  const own = console[level];
  console[level] = (...said: unknown[]): void => own.apply(console, said.map(withStack));
}

function withStack(said: unknown): unknown {
  try {
    return said instanceof Error && typeof said.stack === "string" ? said.stack : said;
  } catch {
    // What throws when it is looked at is the console's to show.
    return said;
  }
}

/** Has nothing to do where there is no server behind the Worker; without a network, the platform's own fails the request. */
export function withoutPassThrough(ctx: unknown): void {
  if (typeof ctx !== "object" || ctx === null || !("passThroughOnException" in ctx)) return;
  Object.defineProperty(ctx, "passThroughOnException", { value: () => undefined, configurable: true });
}
