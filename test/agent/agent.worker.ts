import { createDependencyBundler, LivePreviews, PreviewGateway, sqlCache } from "@tenrec/preview";
import { type AccessEnv, CodingAgent, routeAgents, routePreviews } from "@tenrec/runtime";
import { type Script, scriptedModel } from "@tenrec/testkit";
import { createEgress } from "@tenrec/tools";

interface Bindings extends Cloudflare.Env, AccessEnv {
  readonly LOADER: WorkerLoader;
  /** The address of a registry on this machine. */
  readonly TEST_REGISTRY: string;
}

export { PreviewGateway };

/** Answers anything, so that turns end. */
const script: Script = { model: "test", steps: Array.from({ length: 100 }, () => ({ say: [{ text: "Done." }] })) };

/** An agent as a Worker composes it, with previews. */
export class Coder extends CodingAgent<Bindings> {
  model = "scripted/test";
  override providers = { scripted: () => scriptedModel(script) };
  override previews = new LivePreviews({
    ctx: this.ctx,
    loader: this.env.LOADER,
    binding: "Coder",
    dependencies: createDependencyBundler({
      egress: createEgress({
        gate: { require: () => {} },
        localHosts: [new URL(this.env.TEST_REGISTRY).host],
      }),
      cache: sqlCache(this.ctx.storage, 50_000_000),
      registry: this.env.TEST_REGISTRY,
    }),
  });
}

const WILDCARD = "*.preview.wild.test";

const agents = routeAgents<Bindings>({ Coder });
const previews = routePreviews<Bindings>(["Coder"]);

// As if there were three Workers: one with a host for each link, one with a host of all previews, and that host itself, bound to
// the object of the others.
export default {
  fetch: (request, env, ctx) => {
    const { hostname } = new URL(request.url);
    if (hostname.endsWith(WILDCARD.slice(1))) return agents(request, { ...env, TENREC_PREVIEW_HOST: WILDCARD }, ctx);
    return hostname.startsWith("preview.shared.") ? previews(request, env) : agents(request, env, ctx);
  },
} satisfies ExportedHandler<Bindings>;
