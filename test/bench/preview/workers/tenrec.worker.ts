import type { Egress } from "@tenrec/protocol";
import { createDependencyBundler, LivePreviews, PreviewGateway, sqlCache } from "@tenrec/preview";
import { CodingAgent, routeAgents } from "@tenrec/runtime";

export { PreviewGateway };

interface Bindings extends Cloudflare.Env {
  readonly LOADER: WorkerLoader;
}

/** The way to the mirror of the benchmark, which is on this machine: an agent's own way out leads to no such place. */
const mirror: Egress = {
  async fetch({ url, headers, signal }) {
    const response = await fetch(url, { ...(headers ? { headers } : {}), signal });
    const bytes = await response.bytes();
    const body = async function* (): AsyncGenerator<Uint8Array> {
      yield bytes;
    };
    const { status, statusText } = response;
    return { url, redirects: [], status, statusText, headers: response.headers, body: body() };
  },
};

/** An agent with previews as `@tenrec/preview`'s README shows it. */
export class Subject extends CodingAgent<Bindings> {
  model = "bench/none";
  override previews = new LivePreviews({
    ctx: this.ctx,
    loader: this.env.LOADER,
    binding: "SUBJECTS",
    dependencies: createDependencyBundler({ egress: mirror, cache: sqlCache(this.ctx.storage, 50_000_000) }),
  });
}

export default { fetch: routeAgents<Bindings>({ SUBJECTS: Subject }) };
