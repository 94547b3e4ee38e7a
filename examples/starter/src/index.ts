import { type AccessEnv, CodingAgent, type ModelEnv, modelFromEnv, routeAgents } from "@tenrec/runtime";
import { scriptedModel } from "@tenrec/testkit";
import { app } from "./app/app.ts";
import { tour } from "./tour.ts";

type Env = Cloudflare.Env & AccessEnv & ModelEnv;

/** A coding agent. Without a key for a model it plays a script, so that this runs for everybody. */
export class Coder extends CodingAgent<Env> {
  model = modelFromEnv(this.env)?.model ?? "scripted/tour";
  override providers = { scripted: () => scriptedModel(tour) };
}

export default { fetch: routeAgents<Env>({ Coder }, { fallback: app }) } satisfies ExportedHandler<Env>;
