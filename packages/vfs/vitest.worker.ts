import { DurableObject } from "cloudflare:workers";
import { type TreeSource, treeSource } from "./src/tree-source.ts";
import { TreeStore } from "./src/tree-store.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      TEST_OBJECT: DurableObjectNamespace<TestObject>;
      TEST_SOURCE: DurableObjectNamespace<TestSource>;
      TEST_BUCKET: R2Bucket;
      TENREC_SEED: string;
      TENREC_CRASH: string;
    }
  }
}

/** An object with nothing of its own: tests enter it with `runInDurableObject`. */
export class TestObject extends DurableObject<Cloudflare.Env> {}

/** An object with a store, which others can fetch trees from. */
export class TestSource extends DurableObject<Cloudflare.Env> implements TreeSource {
  readonly store: TreeStore;
  readonly #source: TreeSource;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    const bucket = { bucket: env.TEST_BUCKET, prefix: ctx.id.toString(), threshold: 1024 * 1024 };
    this.store = new TreeStore(ctx.storage, { bucket });
    this.#source = treeSource(this.store);
  }

  nodes(hashes: readonly string[]): ReturnType<TreeSource["nodes"]> {
    return this.#source.nodes(hashes);
  }

  contents(hashes: readonly string[]): ReturnType<TreeSource["contents"]> {
    return this.#source.contents(hashes);
  }

  content(hash: string, size: number): ReturnType<TreeSource["content"]> {
    return this.#source.content(hash, size);
  }
}

export default { fetch: () => new Response(null, { status: 404 }) };
