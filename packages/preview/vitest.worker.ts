import { DurableObject } from "cloudflare:workers";

declare global {
  namespace Cloudflare {
    interface Env {
      TEST_OBJECT: DurableObjectNamespace<TestObject>;
      TEST_LOADER: WorkerLoader;
    }
  }
}

/** An object with nothing of its own: tests enter it with `runInDurableObject`. */
export class TestObject extends DurableObject<Cloudflare.Env> {}

export default { fetch: () => new Response(null, { status: 404 }) };
