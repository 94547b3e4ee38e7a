import type { DurableEvent, InputPart, UsageEvent } from "@tenrec/protocol";
import type { RecordedRequest, Script, ScriptStep } from "@tenrec/testkit";
import { describe, expect, test } from "vitest";
import { type AgentFixture, last, withAgent } from "./with-agent.ts";
import { gatewayEnv, type ProviderUnderTest, providers, server } from "./with-providers.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const IMAGE = `data:image/png;base64,${PIXEL}`;

interface Fixture {
  readonly agent: AgentFixture;
  readonly requests: () => Promise<readonly RecordedRequest[]>;
}

/** An agent whose model is the real provider package, found by its name and by the Worker's variables. */
async function withModel(
  provider: ProviderUnderTest,
  steps: readonly ScriptStep[],
  more: object = {},
): Promise<Fixture> {
  const script: Script = { model: provider.freshName(), steps };
  await provider.offer(script);
  const agent = await withAgent({
    says: [],
    env: { ...provider.env(script), ...more },
    setup: (a) => {
      a.model = `${provider.name}/${script.model}`;
      a.prices = { [a.model]: { input: 10, cachedInput: 1, output: 100 } };
    },
  });
  return { agent, requests: () => provider.requests(script) };
}

function usages(events: readonly DurableEvent[]): readonly UsageEvent[] {
  return events.filter((event) => event.type === "usage");
}

const variants: readonly [string, (provider: ProviderUnderTest) => Promise<{ more: object; gateway?: string }>][] = [
  ["plain", async () => ({ more: {} })],
  [
    "through an AI Gateway with a token",
    async (provider) => {
      const gateway = `gateway-${crypto.randomUUID()}`;
      await server.addGateway(gateway, "token");
      return { more: gatewayEnv(provider, gateway), gateway };
    },
  ],
];

describe.each(variants)("%s", (_variant, prepare) => {
  test.each(providers)("$name: a session of several steps", async (provider) => {
    const { more, gateway } = await prepare(provider);
    const { agent, requests } = await withModel(
      provider,
      [
        {
          say: [
            { reasoning: "Both at once." },
            { text: "Looking." },
            { call: "ls", input: {} },
            { call: "write", input: { path: "a.txt", content: "one" } },
          ],
          usage: { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 50, reasoningTokens: 20 },
        },
        { when: { result: { tool: "write", includes: "a.txt" } }, say: [{ call: "read", input: { path: "a.txt" } }] },
        { say: [{ text: "the result of the second call is missing" }] },
        {
          when: { result: { tool: "read", includes: "one" } },
          say: [{ reasoning: "Good." }, { text: "It is done." }],
          usage: { inputTokens: 2000, cachedInputTokens: 1500, outputTokens: 10 },
        },
        { say: [{ text: "what was read is missing" }] },
      ],
      more,
    );
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done", text: "It is done." });
    expect(await agent.read("/a.txt")).toBe("one");

    const events = await agent.events();
    const steps = events.filter((event) => event.type === "step-end");
    expect(steps.map(({ content }) => content.map((part) => part.type))).toEqual([
      ["reasoning", "text", "tool-call", "tool-call"],
      ["tool-call"],
      ["reasoning", "text"],
    ]);
    const [first, , third] = usages(events);
    expect(first).toMatchObject({ inputTokens: 1000, cachedInputTokens: 0, outputTokens: 50 });
    // Workers AI does not tell how much of an answer was reasoning.
    expect(first?.reasoningTokens).toBe(provider.name === "workers-ai" ? 0 : 20);
    expect(third).toMatchObject({ inputTokens: 2000, cachedInputTokens: 1500, outputTokens: 10 });
    expect(third?.usd).toBeCloseTo((500 * 10 + 1500 * 1 + 10 * 100) / 1e6, 9);
    expect(events.some((event) => event.type === "usage" && event.estimated)).toBe(false);

    const sent = await requests();
    expect(sent.map(({ step }) => step)).toEqual([0, 1, 3]);
    expect(new Set(sent.map(({ path }) => path))).toEqual(new Set([provider.path(gateway)]));
    if (provider.name === "workers-ai") {
      const [options] = sent.map(({ body }) => (body as { options: object }).options);
      if (gateway) expect(options).toMatchObject({ gateway: { id: gateway } });
      else expect(options).not.toHaveProperty("gateway");
    } else expect("cf-aig-authorization" in (sent[0]?.headers ?? {})).toBe(gateway !== undefined);
  });

  test.each(providers)("$name: an image in the prompt, and one that a tool reads", async (provider) => {
    const { more } = await prepare(provider);
    const { agent, requests } = await withModel(
      provider,
      [{ say: [{ call: "read", input: { path: "b.png" } }] }, { say: [{ text: "Two pixels." }] }],
      more,
    );
    // Another one, so that each is known.
    const other = `${PIXEL.slice(0, -8)}AAAAAAA=`;
    await agent.write(
      "/b.png",
      Uint8Array.from(atob(other), (c) => c.charCodeAt(0)),
    );
    const prompt: InputPart[] = [
      { type: "text", text: "What is this?" },
      { type: "file", mediaType: "image/png", url: IMAGE },
    ];
    await agent.submit(prompt);
    expect(await agent.settle()).toMatchObject({ status: "done", text: "Two pixels." });
    const [first, second] = await requests();
    expect(first?.media).toEqual([IMAGE]);
    expect(second?.media?.[0]).toBe(IMAGE);
    expect(second?.media?.[1]).toBe(`data:image/png;base64,${btoa(atob(other))}`);
    // Once, as an image: as text it would cost a hundred times as much.
    expect(JSON.stringify(second?.body).split(other.slice(0, 60))).toHaveLength(1 + 2);
    expect(last(await agent.events(), "tool-result").status).toBe("ok");
  });
});

describe("without", () => {
  test.each(providers.filter(({ name }) => name !== "workers-ai"))(
    "its token a gateway refuses $name, and says so",
    async (provider) => {
      const gateway = `gateway-${crypto.randomUUID()}`;
      await server.addGateway(gateway, "token");
      const more = { ...gatewayEnv(provider, gateway), CF_AIG_TOKEN: undefined };
      const { agent } = await withModel(provider, [{ say: [{ text: "no" }] }], more);
      await agent.submit("go");
      expect(await agent.settle()).toMatchObject({
        status: "stopped",
        message: expect.stringContaining("The AI Gateway wants its token. Set CF_AIG_TOKEN"),
      });
    },
  );

  test("a gateway nobody gets its token", async () => {
    const [anthropic] = providers;
    if (!anthropic) throw new Error("no provider");
    const { agent, requests } = await withModel(anthropic, [{ say: [{ text: "ok" }] }], { CF_AIG_TOKEN: "token" });
    await agent.submit("go");
    await agent.settle();
    expect((await requests()).map(({ headers }) => "cf-aig-authorization" in headers)).toEqual([false]);
  });
});

test("a gateway's own models, with the provider's key kept there", async () => {
  const gateway = `gateway-${crypto.randomUUID()}`;
  await server.addGateway(gateway, "token");
  const model = crypto.randomUUID();
  await server.addScript({ model, steps: [{ say: [{ text: "ok" }] }] });
  const AI_GATEWAY_URL = server.gatewayURL(gateway, "openai").replace(/\/openai$/, "");
  const agent = await withAgent({
    says: [],
    env: { AI_GATEWAY_URL, CF_AIG_TOKEN: "token" },
    setup: (a) => {
      a.model = `gateway/anthropic/${model}`;
    },
  });
  await agent.submit("go");
  expect(await agent.settle()).toMatchObject({ status: "done", text: "ok" });
  const [request] = await server.requests(model);
  expect(request?.path).toBe(`/v1/account/${gateway}/compat/chat/completions`);
  expect(request?.headers).not.toHaveProperty("authorization");
});
