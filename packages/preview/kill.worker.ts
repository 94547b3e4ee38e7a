import { CodingAgent, routeAgents } from "@tenrec/runtime";
import { LivePreviews, PreviewGateway } from "./src/index.ts";

export { PreviewGateway };

interface Env extends Cloudflare.Env {
  readonly LOADER: WorkerLoader;
}

/** A real agent with previews, for the suite that kills workerd beside them. Nobody prompts it. */
export class Shown extends CodingAgent<Env> {
  model = "workers-ai/none";
  override previews = new LivePreviews({ ctx: this.ctx, loader: this.env.LOADER, binding: "Shown" });
}

export default { fetch: routeAgents<Env>({ Shown }) } satisfies ExportedHandler<Env>;
