import type { AgentHarness } from "agents/experimental/channels";
import type { CodingAgent } from "../coding-agent.ts";
import { asAgentHarness } from "./as-agent-harness.ts";

declare const agent: CodingAgent;

/** Compiles only while what we return is what `agents` calls an agent harness. */
export const harness: AgentHarness = asAgentHarness(agent);
