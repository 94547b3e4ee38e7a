import { createDependencyBundler, LivePreviews, PreviewGateway, sqlCache } from "@tenrec/preview";
import { type AccessEnv, CodingAgent, routeAgents } from "@tenrec/runtime";
import { scriptedModel } from "@tenrec/testkit";
import { createEgress } from "@tenrec/tools";

export { PreviewGateway };

interface Bindings extends AccessEnv {
  readonly LOADER: WorkerLoader;
  /** The address of a registry on this machine. */
  readonly ZOO_REGISTRY: string;
}

const CACHE_BYTES = 50_000_000;

/** An agent as a Worker composes it, of which only the previews are used. */
export class ZooAgent extends CodingAgent<Cloudflare.Env & Bindings> {
  model = "scripted/nobody";
  override providers = { scripted: () => scriptedModel({ model: "nobody", steps: [] }) };
  override previews = new LivePreviews({
    ctx: this.ctx,
    loader: this.env.LOADER,
    binding: "ZooAgent",
    dependencies: createDependencyBundler({
      egress: createEgress({
        gate: { require: () => {} },
        localHosts: [new URL(this.env.ZOO_REGISTRY).host],
      }),
      cache: sqlCache(this.ctx.storage, CACHE_BYTES),
      registry: this.env.ZOO_REGISTRY,
    }),
  });
}

export default { fetch: routeAgents<Cloudflare.Env & Bindings>({ ZooAgent }) } satisfies ExportedHandler<
  Cloudflare.Env & Bindings
>;
