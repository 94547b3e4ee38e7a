import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModel } from "ai";
import { APICallError, generateText, streamText } from "ai";
import { describe, expect, test } from "vitest";
import { createWorkersAI } from "workers-ai-provider";
import { server } from "./with-wires.ts";

type Headers = Record<string, string>;

const apiKey = "secret";
const compatible = (baseURL: string, headers: Headers): ReturnType<typeof createOpenAICompatible> =>
  createOpenAICompatible({ name: "gateway", baseURL, apiKey, headers, includeUsage: true });

/** The packages with a gateway's URL, and the path that a request for a model takes. */
const providers: readonly [string, (gateway: string, model: string, headers: Headers) => LanguageModel, string][] = [
  [
    "openai",
    (gateway, model, headers) =>
      createOpenAI({ baseURL: server.gatewayURL(gateway, "openai"), apiKey, headers })(model),
    "/openai/responses",
  ],
  [
    "anthropic",
    (gateway, model, headers) =>
      createAnthropic({ baseURL: server.gatewayURL(gateway, "anthropic"), apiKey, headers })(model),
    "/anthropic/v1/messages",
  ],
  [
    "workers-ai in OpenAI's form",
    (gateway, model, headers) => compatible(server.gatewayURL(gateway, "workers-ai"), headers)(model),
    "/workers-ai/v1/chat/completions",
  ],
  [
    "workers-ai in its own form",
    (gateway, model, headers) => {
      // This package knows no other host than Cloudflare's.
      const local: typeof fetch = (input, init) => {
        const { pathname } = new URL(input instanceof Request ? input.url : input);
        return fetch(new URL(pathname, server.baseURL), {
          ...init,
          headers: { ...(init?.headers as Headers), ...headers },
        });
      };
      return createWorkersAI({ accountId: "account", apiKey, gateway: { id: gateway }, fetch: local })(model);
    },
    "/workers-ai/run/",
  ],
  [
    "compat",
    (gateway, model, headers) => compatible(server.gatewayURL(gateway, "compat"), headers)(`openai/${model}`),
    "/compat/chat/completions",
  ],
];

describe.each(providers)("%s through an AI Gateway", (_name, create, path) => {
  const names = (): [string, string] => [`gateway-${crypto.randomUUID()}`, `@cf/${crypto.randomUUID()}`];

  test("answers, in one piece and as a stream", async () => {
    const [gateway, model] = names();
    await server.addScript({ model, steps: [{ when: { prompt: { includes: "" } }, say: [{ text: "one two" }] }] });
    const provider = create(gateway, model, {});
    expect((await generateText({ model: provider, prompt: "hello" })).text).toBe("one two");
    expect(await streamText({ model: provider, prompt: "hello" }).text).toBe("one two");
    const requests = await server.requests(model);
    expect(requests.map((request) => request.path)).toEqual([
      expect.stringContaining(`/v1/account/${gateway}${path}`),
      expect.stringContaining(path),
    ]);
  });

  test("that asks for a token refuses without it", async () => {
    const [gateway, model] = names();
    await server.addScript({ model, steps: [{ say: [{ text: "ok" }] }] });
    await server.addGateway(gateway, "token");
    const call = (headers: Headers): Promise<{ text: string }> =>
      generateText({ model: create(gateway, model, headers), prompt: "hello", maxRetries: 0 });
    const refused = await call({}).catch((error: unknown) => error);
    if (!APICallError.isInstance(refused)) throw refused;
    expect(refused.statusCode).toBe(401);
    expect(refused.isRetryable).toBe(false);
    expect(refused.responseBody).toContain('"code":2009,"message":"Unauthorized"');
    expect((await call({ "cf-aig-authorization": "Bearer token" })).text).toBe("ok");
  });
});

test("a model's error passes through a gateway", async () => {
  const model = crypto.randomUUID();
  await server.addScript({ model, steps: [{ say: [{ error: { status: 529, message: "Overloaded." } }] }] });
  const provider = createAnthropic({ baseURL: server.gatewayURL("g", "anthropic"), apiKey });
  await expect(generateText({ model: provider(model), prompt: "hello", maxRetries: 0 })).rejects.toMatchObject({
    statusCode: 529,
    message: "Overloaded.",
  });
});

test("paths that a gateway does not have", async () => {
  const base = server.gatewayURL("g", "anthropic").replace("/v1/account/g/anthropic/v1", "/v1/account/g");
  const paths = ["anthropic/messages", "openai/v1/chat/completions", "compat/responses", "mistral/chat/completions"];
  const responses = await Promise.all(paths.map((path) => fetch(`${base}/${path}`, { method: "POST", body: "{}" })));
  expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
});
