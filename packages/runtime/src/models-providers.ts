/** By which variables a provider is configured. */
export interface ProviderFacts {
  /** The variable with its key. */
  readonly key?: string;
  /** The variable with its address. */
  readonly address?: string;
  /** There is no address to fall back on. */
  readonly needsAddress?: boolean;
  /** The model to take when only the provider is known; absent when its endpoint has to be asked. */
  readonly defaultModel?: string;
}

/** The providers that every agent has, in the order in which the environment is searched for one. */
export const PROVIDERS: {
  readonly [name in "anthropic" | "openai" | "openai-compatible" | "workers-ai" | "gateway"]: ProviderFacts;
} = {
  anthropic: { key: "ANTHROPIC_API_KEY", address: "ANTHROPIC_BASE_URL", defaultModel: "claude-sonnet-4-5" },
  // Not OPENAI_BASE_URL: that one is an endpoint of another make, for `openai-compatible`, which need not know Responses.
  openai: { key: "OPENAI_API_KEY", address: "OPENAI_API_BASE", defaultModel: "gpt-5.1" },
  "openai-compatible": { key: "OPENAI_API_KEY", address: "OPENAI_BASE_URL", needsAddress: true },
  "workers-ai": { defaultModel: "@cf/moonshotai/kimi-k2.7-code" },
  gateway: {
    key: "CF_AIG_TOKEN",
    address: "AI_GATEWAY_URL",
    needsAddress: true,
    defaultModel: "anthropic/claude-sonnet-4-5",
  },
};

/** Every variable that has a say in which model is used and how it is reached; the `AI` binding is none. */
export const MODEL_VARIABLES: readonly string[] = [
  ...new Set([
    "TENREC_MODEL",
    ...Object.values(PROVIDERS).flatMap(({ key, address }: ProviderFacts) => [key ?? [], address ?? []].flat()),
  ]),
];

/** What is known of the provider before the slash; undefined for one that an agent added. */
export function factsOf(model: string): ProviderFacts | undefined {
  const provider = model.slice(0, Math.max(0, model.indexOf("/")));
  return Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider as keyof typeof PROVIDERS] : undefined;
}
