import type { ModelEnv } from "./models.ts";
import { modelFromEnv } from "./models.ts";
import { factsOf, type ProviderFacts, PROVIDERS } from "./models-providers.ts";
import { type Price, priceOf, PRICES, type PriceTable } from "./prices.ts";

/** A model that the environment offers, or would with one more variable. */
export interface ListedModel {
  readonly provider: string;
  /** As an agent's `model` and `TENREC_MODEL` take it. Ends in `<name>` when its endpoint has to be asked. */
  readonly model: string;
  readonly usable: boolean;
  /** What makes it usable, or what to set; a sentence. */
  readonly because: string;
  /** The one that is used when nobody names another. */
  readonly chosen: boolean;
  /** Absent when it is not known; money caps do not see such a model. */
  readonly price?: Price;
  /** `GET` this, with `OPENAI_API_KEY` as bearer token when it is set, for the names of what `<name>` stands for. */
  readonly ask?: string;
}

export interface ListOptions {
  /** What the endpoint at `OPENAI_BASE_URL` listed, best first. Default: nobody has asked it. */
  readonly compatibleModels?: readonly string[];
  /** Default: {@link PRICES}. */
  readonly prices?: PriceTable;
}

type Provider = keyof typeof PROVIDERS;
type Verdict = Pick<ListedModel, "usable" | "because">;

/**
 * One line for each provider, and more where an endpoint listed several; one for `TENREC_MODEL` first when it is none of
 * these. Asks nobody: whether a key is good shows when it is used.
 */
export function listModels(env: ModelEnv, options: ListOptions = {}): readonly ListedModel[] {
  const { compatibleModels = [], prices = PRICES } = options;
  const chosen = modelFromEnv(env, compatibleModels[0] ?? "<name>")?.model;
  const list = (provider: string, model: string, verdict: Verdict): ListedModel => {
    const price = priceOf(prices, model);
    const ask = model.endsWith("/<name>") && env.OPENAI_BASE_URL;
    return {
      provider,
      model,
      ...verdict,
      chosen: model === chosen,
      ...(price ? { price } : {}),
      ...(ask ? { ask: `${ask.replace(/\/+$/, "")}/models` } : {}),
    };
  };
  const names = Object.keys(PROVIDERS) as Provider[];
  const listed = names.flatMap((provider) => {
    const facts: ProviderFacts = PROVIDERS[provider];
    const models = facts.defaultModel === undefined ? compatibleModels : [facts.defaultModel];
    const verdict = verdictOn(provider, env);
    return (models.length > 0 ? models : ["<name>"]).map((name) => list(provider, `${provider}/${name}`, verdict));
  });
  if (chosen === undefined || listed.some(({ model }) => model === chosen)) return listed;
  const provider = chosen.slice(0, Math.max(0, chosen.indexOf("/")));
  return [list(provider, chosen, verdictOnNamed(chosen, provider, env)), ...listed];
}

function verdictOn(provider: Provider, env: ModelEnv): Verdict {
  const through = env.AI_GATEWAY_URL ? ", through the gateway at AI_GATEWAY_URL" : "";
  const key = (variable: "ANTHROPIC_API_KEY" | "OPENAI_API_KEY"): Verdict =>
    env[variable]
      ? { usable: true, because: `${variable} is set${through}.` }
      : { usable: false, because: `Set ${variable}.` };
  switch (provider) {
    case "anthropic":
      return key("ANTHROPIC_API_KEY");
    case "openai":
      if (env.OPENAI_API_KEY && env.OPENAI_BASE_URL && !env.OPENAI_API_BASE) {
        const because =
          "OPENAI_API_KEY counts as the key of OPENAI_BASE_URL. Unset OPENAI_BASE_URL to use it with OpenAI.";
        return { usable: false, because };
      }
      return key("OPENAI_API_KEY");
    case "openai-compatible":
      if (!env.OPENAI_BASE_URL) {
        return { usable: false, because: "Set OPENAI_BASE_URL to an endpoint, such as http://localhost:11434/v1." };
      }
      return { usable: true, because: `OPENAI_BASE_URL is set${env.OPENAI_API_KEY ? ", with OPENAI_API_KEY" : ""}.` };
    case "workers-ai":
      return env.AI
        ? { usable: true, because: `The AI binding is there${through}.` }
        : { usable: false, because: 'Add "ai": { "binding": "AI" } to wrangler.jsonc.' };
    case "gateway": {
      if (!env.AI_GATEWAY_URL) return { usable: false, because: "Set AI_GATEWAY_URL, and CF_AIG_TOKEN to its token." };
      const token = env.CF_AIG_TOKEN ? ", with CF_AIG_TOKEN" : "; a gateway that asks for a token needs CF_AIG_TOKEN";
      return { usable: true, because: `AI_GATEWAY_URL is set${token}. The gateway must hold the provider's key.` };
    }
  }
}

/** On what `TENREC_MODEL` says, which may be anything. */
function verdictOnNamed(model: string, provider: string, env: ModelEnv): Verdict {
  if (model.endsWith("/") || !model.includes("/")) {
    return { usable: false, because: "TENREC_MODEL has to be provider/name, such as anthropic/claude-sonnet-4-5." };
  }
  if (!factsOf(model)) {
    return {
      usable: false,
      because: `"${provider}" is no provider here, unless the agent's own \`providers\` add it.`,
    };
  }
  const { usable, because } = verdictOn(provider as Provider, env);
  return { usable, because: `Named by TENREC_MODEL. ${because}` };
}
