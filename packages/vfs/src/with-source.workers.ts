import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Elsewhere } from "./with-source.ts";

export async function withSource<T>(run: (elsewhere: Elsewhere) => Promise<T>): Promise<T> {
  const stub = env.TEST_SOURCE.get(env.TEST_SOURCE.newUniqueId());
  return run({ enter: (step) => runInDurableObject(stub, (instance) => step(instance.store)), source: stub });
}
