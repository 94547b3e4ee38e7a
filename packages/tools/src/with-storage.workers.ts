import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { StorageLike } from "@tenrec/vfs";

// Vitest maps every stack to its source. just-bash makes an error for each command, and its bundle's map takes 20 ms each.
Object.assign(Error, { prepareStackTrace: undefined });

export async function withStorage<T>(run: (storage: StorageLike) => Promise<T>): Promise<T> {
  const stub = env.TEST_OBJECT.get(env.TEST_OBJECT.newUniqueId());
  return runInDurableObject(stub, (_instance, state) => run(state.storage));
}
