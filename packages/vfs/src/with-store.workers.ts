import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { StorageLike } from "./sql.ts";

export async function withStorage<T>(run: (storage: StorageLike) => Promise<T>): Promise<T> {
  const stub = env.TEST_OBJECT.get(env.TEST_OBJECT.newUniqueId());
  return runInDurableObject(stub, (_instance, state) => run(state.storage));
}
