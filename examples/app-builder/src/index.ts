import { createDependencyBundler, LivePreviews, PreviewGateway, sqlCache } from "@tenrec/preview";
import { type AccessEnv, CodingAgent, type ModelEnv, modelFromEnv, type Policy, routeAgents } from "@tenrec/runtime";
import { scriptedModel } from "@tenrec/testkit";
import { createEgress } from "@tenrec/tools";
import { tour } from "./tour.ts";

interface Env extends Cloudflare.Env, AccessEnv, ModelEnv {
  ASSETS: Fetcher;
  LOADER: WorkerLoader;
}

// The platform makes the instances of this class: an app reaches its host by it, and by nothing else.
export { PreviewGateway };

/** Lets npm packages in, and nothing else. */
const registry = createEgress({
  gate: {
    require: ({ host }) => {
      if (host !== "registry.npmjs.org") throw new Error(`${host} is not the registry`);
    },
  },
});

/** Builds Workers apps, and shows them after every edit. Without a key for a model it plays a script. */
export class Builder extends CodingAgent<Env> {
  model = modelFromEnv(this.env)?.model ?? "scripted/tour";
  override providers = { scripted: () => scriptedModel(tour) };
  // What the model runs is the app: in an isolate of its own, without network.
  override policy: Policy = { execute: "allow" };
  override previews = new LivePreviews({
    ctx: this.ctx,
    loader: this.env.LOADER,
    binding: "Builder",
    dependencies: createDependencyBundler({ egress: registry, cache: sqlCache(this.ctx.storage, 50_000_000) }),
  });
}

export default {
  fetch: routeAgents<Env>({ Builder }, { fallback: (request, env) => env.ASSETS.fetch(request) }),
} satisfies ExportedHandler<Env>;
