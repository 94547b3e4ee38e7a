import { TenrecError } from "@tenrec/protocol";
import type { LanguageModel } from "ai";
import { PROVIDERS } from "./models-providers.ts";

/** What a model's provider is told by the Worker's environment. Extra variables are ignored. */
export interface ModelEnv {
  /** The model to use, as `provider/name`; wins over what the keys suggest. */
  readonly TENREC_MODEL?: string;
  readonly ANTHROPIC_API_KEY?: string;
  readonly OPENAI_API_KEY?: string;
  /** An OpenAI-compatible endpoint such as Ollama, LM Studio or vLLM, with its `/v1`. */
  readonly OPENAI_BASE_URL?: string;
  /** Another address for `anthropic/…`, with or without its `/v1`. */
  readonly ANTHROPIC_BASE_URL?: string;
  /** Another address for `openai/…`, with its `/v1`; it must know the Responses API. */
  readonly OPENAI_API_BASE?: string;
  /**
   * A Cloudflare AI Gateway for all providers: `https://gateway.ai.cloudflare.com/v1/<account>/<gateway>`. Wins over the
   * addresses of `anthropic/…` and `openai/…`; `openai-compatible/…` stays at its own, which may be one of a gateway.
   */
  readonly AI_GATEWAY_URL?: string;
  /** The token of an authenticated gateway. */
  readonly CF_AIG_TOKEN?: string;
  /** A Workers AI binding. */
  readonly AI?: unknown;
}

/** Makes a model from the part of its name after the provider. */
export type ModelFactory<Env = ModelEnv> = (name: string, env: Env) => LanguageModel | Promise<LanguageModel>;

type Factories = Readonly<Record<string, ModelFactory<ModelEnv>>>;

function required(value: string | undefined, variable: string, model: string): string {
  if (value) return value;
  const where = "in the shell for tenrec and npm start, in .dev.vars for wrangler dev";
  const needs = `the variable ${variable}. Set it ${where}, or with: wrangler secret put ${variable}`;
  throw new TenrecError("model-not-configured", { model, needs });
}

interface Address {
  readonly baseURL: string;
  readonly headers?: Record<string, string>;
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

/** An address, with the gateway's token when it is one of a gateway: nobody else may see that. */
function at(env: ModelEnv, url: string): Address {
  const baseURL = withoutSlash(url);
  const own = env.AI_GATEWAY_URL ? withoutSlash(env.AI_GATEWAY_URL) : undefined;
  const isGateway =
    (own !== undefined && `${baseURL}/`.startsWith(`${own}/`)) ||
    baseURL.startsWith("https://gateway.ai.cloudflare.com/");
  return isGateway && env.CF_AIG_TOKEN
    ? { baseURL, headers: { "cf-aig-authorization": `Bearer ${env.CF_AIG_TOKEN}` } }
    : { baseURL };
}

/**
 * Where a provider is: behind the gateway under `path`, else at its `own` address. Always said: left out, the packages
 * read variables of the process, where OPENAI_BASE_URL has another meaning.
 */
function address(env: ModelEnv, path: string, own: string): Address {
  return at(env, env.AI_GATEWAY_URL ? `${withoutSlash(env.AI_GATEWAY_URL)}/${path}` : own);
}

/** Anthropic's own packages put the version behind this variable, the AI SDK expects it in there: both are taken. */
function anthropicAddress(url: string | undefined): string {
  const base = withoutSlash(url || "https://api.anthropic.com");
  return /\/v\d+$/.test(base) ? base : `${base}/v1`;
}

// Providers are loaded when they are asked for, so that a Worker starts without parsing the others.
const FACTORIES: Factories = {
  async anthropic(name, env) {
    const apiKey = required(env.ANTHROPIC_API_KEY, "ANTHROPIC_API_KEY", `anthropic/${name}`);
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({ apiKey, ...address(env, "anthropic/v1", anthropicAddress(env.ANTHROPIC_BASE_URL)) })(name);
  },
  async openai(name, env) {
    const apiKey = required(env.OPENAI_API_KEY, "OPENAI_API_KEY", `openai/${name}`);
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI({ apiKey, ...address(env, "openai", env.OPENAI_API_BASE || "https://api.openai.com/v1") })(
      name,
    );
  },
  async "openai-compatible"(name, env) {
    const baseURL = required(env.OPENAI_BASE_URL, "OPENAI_BASE_URL", `openai-compatible/${name}`);
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const apiKey = env.OPENAI_API_KEY;
    const provider = createOpenAICompatible({
      name: "openai-compatible",
      ...at(env, baseURL),
      includeUsage: true,
      ...(apiKey ? { apiKey } : {}),
    });
    return provider(name);
  },
  async gateway(name, env) {
    const url = required(env.AI_GATEWAY_URL, "AI_GATEWAY_URL", `gateway/${name}`);
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    return createOpenAICompatible({ name: "gateway", ...address(env, "compat", url), includeUsage: true })(name);
  },
  async "workers-ai"(name, env) {
    if (!env.AI) {
      const needs = 'a Workers AI binding. Add "ai": { "binding": "AI" } to wrangler.jsonc';
      throw new TenrecError("model-not-configured", { model: `workers-ai/${name}`, needs });
    }
    const { createWorkersAI } = await import("workers-ai-provider");
    const binding = env.AI as NonNullable<Parameters<typeof createWorkersAI>[0]["binding"]>;
    const id = env.AI_GATEWAY_URL && withoutSlash(env.AI_GATEWAY_URL).split("/").at(-1);
    return createWorkersAI({ binding, ...(id ? { gateway: { id } } : {}) })(name);
  },
};

/**
 * The model that a string such as `anthropic/claude-sonnet-4-5` names. `extra` adds providers, or replaces one.
 * Throws `model-unknown` or `model-not-configured`, which say what to write or to set.
 */
export async function resolveModel<Env>(
  model: string,
  env: Env,
  extra: Readonly<Record<string, ModelFactory<Env>>> = {},
): Promise<LanguageModel> {
  const slash = model.indexOf("/");
  const provider = model.slice(0, slash);
  const name = model.slice(slash + 1);
  const own = Object.hasOwn(extra, provider) ? extra[provider] : undefined;
  if (slash > 0 && name && own) return own(name, env);
  const factory = Object.hasOwn(FACTORIES, provider) ? FACTORIES[provider] : undefined;
  if (slash > 0 && name && factory) return factory(name, env as ModelEnv);
  const known = [...Object.keys(FACTORIES), ...Object.keys(extra)].map((p) => `${p}/<name>`);
  throw new TenrecError("model-unknown", { model, known });
}

/** What `modelFromEnv` found, and by which variable or binding. */
export interface ModelChoice {
  readonly model: string;
  readonly because: string;
}

/**
 * The model that the environment asks for: `TENREC_MODEL`, else by the first of `ANTHROPIC_API_KEY`, `OPENAI_API_KEY`,
 * `OPENAI_BASE_URL` and the `AI` binding that is there. A key together with `OPENAI_BASE_URL` is that endpoint's key, and
 * `compatibleModel` is the name to ask that endpoint for. Undefined when nothing is configured.
 */
export function modelFromEnv(env: ModelEnv, compatibleModel = "default"): ModelChoice | undefined {
  const standard = (provider: "anthropic" | "openai" | "workers-ai"): string =>
    `${provider}/${PROVIDERS[provider].defaultModel}`;
  if (env.TENREC_MODEL) return { model: env.TENREC_MODEL, because: "TENREC_MODEL" };
  if (env.ANTHROPIC_API_KEY) return { model: standard("anthropic"), because: "ANTHROPIC_API_KEY" };
  if (env.OPENAI_API_KEY && !env.OPENAI_BASE_URL) return { model: standard("openai"), because: "OPENAI_API_KEY" };
  if (env.OPENAI_BASE_URL) return { model: `openai-compatible/${compatibleModel}`, because: "OPENAI_BASE_URL" };
  if (env.AI) return { model: standard("workers-ai"), because: "the AI binding" };
  return undefined;
}
