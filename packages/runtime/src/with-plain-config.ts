import type { AgentConfig } from "./agent-config.ts";
import { PRICES } from "./prices.ts";

/** What an agent class decides that sets nothing but its model. */
export function plainConfig(model: string, resolveModel: AgentConfig["resolveModel"]): AgentConfig {
  return {
    model,
    policy: {},
    budget: {},
    executors: [],
    network: {},
    git: {},
    engine: undefined,
    previews: undefined,
    instructions: "",
    prices: PRICES,
    bucket: undefined,
    approvalExpiry: undefined,
    secrets: [],
    tools: (base) => base,
    resolveModel,
  };
}
