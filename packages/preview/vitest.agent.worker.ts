import { type Budget, CodingAgent, routeAgents } from "@tenrec/runtime";
import { type Script, scriptedModel } from "@tenrec/testkit";
import { LivePreviews, PreviewGateway } from "./src/index.ts";

export { PreviewGateway };

declare global {
  namespace Cloudflare {
    interface Env {
      TestAgent: DurableObjectNamespace<TestAgent>;
      TENREC_TOKEN: string;
      TENREC_SECRET: string;
    }
  }
}

/** What the models of agents say: a test puts it here. */
export const script: { current: Script } = { current: { model: "test", steps: [] } };

/** What agents may spend: a test puts it here. */
export const budget: { session?: NonNullable<Budget["session"]> } = {};

/** The names of the objects that were made, in the order in which they first were. */
export const names: Set<string | undefined> = new Set();

/** A real agent with previews. */
export class TestAgent extends CodingAgent<Cloudflare.Env> {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    names.add(ctx.id.name);
  }

  model = "scripted/test";
  override providers = { scripted: () => scriptedModel(script.current) };
  override budget: Budget = budget;
  override policy = { execute: "allow" } as const;
  override previews = new LivePreviews({
    ctx: this.ctx,
    loader: this.env.TEST_LOADER,
    binding: "TestAgent",
    limits: { cpuMs: 1500 },
  });
}

export default { fetch: routeAgents<Cloudflare.Env>({ TestAgent }) };
