import { CachesStandIn } from "./cache-storage.ts";

// Like the environment, these are there from the first line of the app on.
Object.defineProperty(globalThis, "caches", { value: new CachesStandIn(() => Date.now()), configurable: true });

/** Has nothing to do where there is no server behind the Worker; without a network, the platform's own fails the request. */
export function withoutPassThrough(ctx: unknown): void {
  if (typeof ctx !== "object" || ctx === null || !("passThroughOnException" in ctx)) return;
  Object.defineProperty(ctx, "passThroughOnException", { value: () => undefined, configurable: true });
}
