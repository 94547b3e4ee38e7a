import { DurableObject } from "cloudflare:workers";
import { CodingAgent, routeAgents } from "@tenrec/runtime";
import { type Script, scriptedModel } from "@tenrec/testkit";
import { LivePreviews, type PreviewDoor, PreviewGateway } from "./src/index.ts";

export { PreviewGateway };

declare global {
  namespace Cloudflare {
    interface Env {
      TEST_OBJECT: DurableObjectNamespace<TestObject>;
      TestAgent: DurableObjectNamespace<TestAgent>;
      TEST_LOADER: WorkerLoader;
      TENREC_TOKEN: string;
      TENREC_SECRET: string;
    }
  }
}

/** An object that hosts previews, as an agent does: a test sets them. */
export class TestObject extends DurableObject<Cloudflare.Env> {
  previews: LivePreviews | undefined;

  override async fetch(request: Request): Promise<Response> {
    return (await this.previews?.gatewayFetch(request)) ?? new Response(null, { status: 404 });
  }

  previewDoor(session: string, app: string): PreviewDoor {
    if (!this.previews) throw new Error("no previews");
    return this.previews.door(session, app);
  }

  override async alarm(): Promise<void> {
    await this.previews?.runAlarms();
  }
}

/** What the models of agents say: a test puts it here. */
export const script: { current: Script } = { current: { model: "test", steps: [] } };

/** A real agent with previews. */
export class TestAgent extends CodingAgent<Cloudflare.Env> {
  model = "scripted/test";
  override providers = { scripted: () => scriptedModel(script.current) };
  override policy = { execute: "allow" } as const;
  override previews = new LivePreviews({
    ctx: this.ctx,
    loader: this.env.TEST_LOADER,
    binding: "TestAgent",
  });
}

export default { fetch: routeAgents<Cloudflare.Env>({ TestAgent }) };
