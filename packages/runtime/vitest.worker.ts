import type { Clock } from "@tenrec/protocol";
import { type Script, scriptedModel } from "@tenrec/testkit";
import { CodingAgent, type ModelFactory, resolveModel, routeAgents } from "./src/index.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      TestAgent: DurableObjectNamespace<TestAgent>;
      TEST_BUCKET: R2Bucket;
      TENREC_TOKEN: string;
      TENREC_SECRET: string;
    }
  }
}

/** Scripts by name, put here by tests: a test and its objects share one isolate. */
export const scripts: Map<string, Script> = new Map<string, Script>();

/** What a test sets on every instance of an agent, also on one that comes back after an abort. */
export const setups: Map<string, (agent: TestAgent) => void> = new Map<string, (agent: TestAgent) => void>();

/** Clocks of single agents; the others have the platform's. */
export const clocks: Map<string, Clock> = new Map<string, Clock>();

/** More variables and bindings for single agents, as if their Worker had them. */
export const envs: Map<string, object> = new Map<string, object>();

/** Prompts that scripted models were sent, oldest first, as JSON. */
export const requests: string[] = [];

/** The real class with models for tests: `scripted/<name>`, and `server/<model>@<url>` through the real provider. */
export class TestAgent extends CodingAgent<Cloudflare.Env> {
  declare readonly ctx: DurableObjectState<object>;
  model = "scripted/default";

  override providers: Record<string, ModelFactory<Cloudflare.Env>> = {
    scripted: (name) => {
      const script = scripts.get(name);
      if (!script) throw new Error(`no script ${name}`);
      const model = scriptedModel(script);
      const doStream: typeof model.doStream = (options) => {
        requests.push(JSON.stringify({ prompt: options.prompt, tools: options.tools }));
        return model.doStream(options);
      };
      return { ...model, doStream };
    },
    server: (name) => {
      const [model, url] = name.split("@");
      return resolveModel(`openai-compatible/${model}`, { OPENAI_BASE_URL: url ?? "" });
    },
  };

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, { ...env, ...envs.get(ctx.id.name ?? "") }, clocks.get(ctx.id.name ?? ""));
    setups.get(ctx.id.name ?? "")?.(this);
  }
}

export default { fetch: routeAgents<Cloudflare.Env>({ TestAgent }) };
