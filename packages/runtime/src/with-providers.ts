import type { RecordedRequest, Script } from "@tenrec/testkit";
import { modelServerClient, workersAiBinding } from "@tenrec/testkit";
import { inject } from "vitest";
// Loaded before any object asks for them: two objects cannot wait for one import of the test runner.
import "@ai-sdk/anthropic";
import "@ai-sdk/openai";
import "@ai-sdk/openai-compatible";
import "workers-ai-provider";

export const server: ReturnType<typeof modelServerClient> = modelServerClient(inject("modelServerUrl"));

/** A provider as a user configures it, by a model's name and by variables. */
export interface ProviderUnderTest {
  readonly name: "anthropic" | "openai" | "openai-compatible" | "workers-ai";
  /** A name that no other test has, of a kind that the package takes for a model that can reason. */
  freshName(): string;
  /** The Worker's variables and bindings, without a gateway. */
  env(script: Script): object;
  /** Offers the script; what `env` gives reaches it. */
  offer(script: Script): Promise<void>;
  requests(script: Script): Promise<readonly RecordedRequest[]>;
  /** The path of a request, behind a gateway of this name or without one. */
  path(gateway?: string): string;
}

const overHttp: Pick<ProviderUnderTest, "offer" | "requests"> = {
  offer: (script) => server.addScript(script),
  requests: ({ model }) => server.requests(model),
};

const bindings = new WeakMap<Script, ReturnType<typeof workersAiBinding>>();

function bindingFor(script: Script): ReturnType<typeof workersAiBinding> {
  const binding = bindings.get(script) ?? workersAiBinding(script);
  bindings.set(script, binding);
  return binding;
}

function behind(gateway: string | undefined, path: string, plain: string): string {
  return gateway === undefined ? plain : `/v1/account/${gateway}${path}`;
}

export const providers: readonly ProviderUnderTest[] = [
  {
    ...overHttp,
    name: "anthropic",
    freshName: () => `claude-sonnet-4-5-${crypto.randomUUID()}`,
    env: () => ({ ANTHROPIC_API_KEY: "secret", ANTHROPIC_BASE_URL: server.baseURL }),
    path: (gateway) => behind(gateway, "/anthropic/v1/messages", "/v1/messages"),
  },
  {
    ...overHttp,
    name: "openai",
    freshName: () => `gpt-5-${crypto.randomUUID()}`,
    env: () => ({ OPENAI_API_KEY: "secret", OPENAI_API_BASE: server.baseURL }),
    path: (gateway) => behind(gateway, "/openai/responses", "/v1/responses"),
  },
  {
    ...overHttp,
    name: "openai-compatible",
    freshName: () => `model-${crypto.randomUUID()}`,
    env: () => ({ OPENAI_API_KEY: "secret", OPENAI_BASE_URL: server.baseURL }),
    path: (gateway) => behind(gateway, "/compat/chat/completions", "/v1/chat/completions"),
  },
  {
    name: "workers-ai",
    freshName: () => `@cf/model-${crypto.randomUUID()}`,
    env: (script) => ({ AI: bindingFor(script) }),
    offer: async (script) => void bindingFor(script),
    requests: async (script) => bindingFor(script).requests,
    path: () => "binding",
  },
];

/** The variables of a gateway with a token. An endpoint of one's own is behind one when its address is. */
export function gatewayEnv(provider: ProviderUnderTest, gateway: string): object {
  const url = server.gatewayURL(gateway, "openai").replace(/\/openai$/, "");
  const own = provider.name === "openai-compatible" ? { OPENAI_BASE_URL: `${url}/compat` } : {};
  return { AI_GATEWAY_URL: `${url}/`, CF_AIG_TOKEN: "token", ...own };
}
