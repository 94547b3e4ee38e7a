import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModel } from "ai";
import { inject } from "vitest";
import { createWorkersAI } from "workers-ai-provider";
import type { RecordedRequest } from "./desk/record-request.ts";
import { modelServerClient } from "./model-server-client.ts";
import type { Script } from "./script/script.ts";
import { workersAiBinding } from "./workers-ai/workers-ai-binding.ts";

export const server = modelServerClient(inject("modelServerUrl"));
const binding = workersAiBinding([]);
const apiKey = "secret";

/** A wire format with the package that speaks it. */
export interface WireUnderTest {
  readonly name: "chat" | "responses" | "anthropic" | "workers-ai";
  model(name: string): LanguageModel;
  /** A name that no other test has, of a kind that the package takes for a model that can reason. */
  freshName(): string;
  addScript(script: Script): Promise<void>;
  requests(model: string): Promise<readonly RecordedRequest[]>;
}

const overHttp: Pick<WireUnderTest, "addScript" | "requests"> = {
  addScript: (script) => server.addScript(script),
  requests: (model) => server.requests(model),
};

// The real packages against the real server, over HTTP, in Node and in workerd; and against the binding, in the process.
export const wires: readonly WireUnderTest[] = [
  {
    ...overHttp,
    name: "chat",
    model: createOpenAICompatible({ name: "server", baseURL: server.baseURL, apiKey, includeUsage: true }),
    freshName: () => `model-${crypto.randomUUID()}`,
  },
  {
    ...overHttp,
    name: "responses",
    model: createOpenAI({ baseURL: server.baseURL, apiKey }),
    freshName: () => `gpt-5-${crypto.randomUUID()}`,
  },
  {
    ...overHttp,
    name: "anthropic",
    model: createAnthropic({ baseURL: server.baseURL, apiKey }),
    freshName: () => `claude-sonnet-4-5-${crypto.randomUUID()}`,
  },
  {
    name: "workers-ai",
    model: createWorkersAI({ binding: binding as unknown as Ai }),
    freshName: () => `@cf/model-${crypto.randomUUID()}`,
    addScript: async (script) => binding.addScript(script),
    requests: async (model) => binding.requests.filter((recorded) => recorded.model === model),
  },
];
