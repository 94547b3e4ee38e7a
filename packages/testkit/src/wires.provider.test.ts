import type { ModelMessage } from "ai";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { describe, expect, test } from "vitest";
import { scriptedModel } from "./model/scripted-model.ts";
import type { ScriptStep } from "./script/script.ts";
import type { WireUnderTest } from "./with-wires.ts";
import { wires } from "./with-wires.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const list = tool({ inputSchema: jsonSchema<object>({ type: "object" }), execute: async () => "a.ts" });
const tools = { ls: list, cat: list };

async function offer(wire: WireUnderTest, ...steps: ScriptStep[]): Promise<string> {
  const model = wire.freshName();
  await wire.addScript({ model, steps });
  return model;
}

const withImage: ModelMessage[] = [
  {
    role: "user",
    content: [
      { type: "text", text: "what is this?" },
      { type: "file", data: PIXEL, mediaType: "image/png" },
    ],
  },
];

// Workers AI tells neither how much was reasoning nor, as OpenAI, what was written to the cache.
const knows = { reasoningTokens: (wire: WireUnderTest) => wire.name !== "workers-ai" };

describe.each(wires)("over $name", (wire) => {
  const answer: ScriptStep = {
    say: [{ reasoning: "Let me see." }, { text: "It is done." }],
    usage: { inputTokens: 100, cachedInputTokens: 80 },
  };

  test("streams text, reasoning and usage with cached tokens", async () => {
    const result = streamText({ model: wire.model(await offer(wire, answer)), prompt: "hello" });
    let deltas = 0;
    for await (const part of result.stream) if (part.type === "text-delta") deltas += 1;
    expect(deltas).toBe(3);
    expect(await result.text).toBe("It is done.");
    expect(await result.reasoningText).toBe("Let me see.");
    expect(await result.finishReason).toBe("stop");
    const { inputTokens, inputTokenDetails, outputTokens, outputTokenDetails } = await result.usage;
    expect({ inputTokens, outputTokens }).toEqual({ inputTokens: 100, outputTokens: 6 });
    expect(inputTokenDetails.cacheReadTokens).toBe(80);
    expect(outputTokenDetails.reasoningTokens).toBe(knows.reasoningTokens(wire) ? 3 : undefined);
  });

  test("without usage", async () => {
    const model = await offer(wire, { say: [{ text: "ok" }], usage: null });
    const { inputTokens } = await streamText({ model: wire.model(model), prompt: "hello" }).usage;
    // Anthropic Messages cannot leave it out, and the Workers AI package fills it in.
    expect(inputTokens).toBe(wire.name === "anthropic" || wire.name === "workers-ai" ? 0 : undefined);
  });

  test("says the same in one piece", async () => {
    const model = await offer(wire, { ...answer, say: [...answer.say, { call: "cat", input: { path: "a" } }] });
    const result = await generateText({ model: wire.model(model), prompt: "hello", tools: { cat: list } });
    expect(result.text).toBe("It is done.");
    expect(result.reasoningText).toBe("Let me see.");
    expect(result.toolCalls).toMatchObject([{ toolName: "cat", input: { path: "a" } }]);
    expect(result.finishReason).toBe("tool-calls");
    expect(result.usage).toMatchObject({ inputTokens: 100, inputTokenDetails: { cacheReadTokens: 80 } });
  });

  test("makes parallel calls, and goes on from their results over several steps", async () => {
    const model = await offer(
      wire,
      {
        say: [
          { reasoning: "Both." },
          { text: "Looking." },
          { call: "ls", input: { path: "src" } },
          { call: "cat", input: {}, id: "mine" },
        ],
      },
      { when: { result: { tool: "ls", includes: "b.ts" } }, say: [{ text: "wrong" }] },
      {
        when: { result: { tool: "cat", includes: "a.ts" } },
        say: [{ reasoning: "Once more." }, { call: "ls", input: {} }],
      },
      { say: [{ text: "wrong" }] },
      { say: [{ text: "right" }] },
    );
    const result = streamText({ model: wire.model(model), prompt: "hello", tools, stopWhen: stepCountIs(4) });
    expect(await result.text).toBe("right");
    const [first] = await result.steps;
    expect(first?.toolCalls.map((call) => [call.toolName, call.input])).toEqual([
      ["ls", { path: "src" }],
      ["cat", {}],
    ]);
    expect(first?.toolCalls[1]?.toolCallId).toMatch(/^mine/);
    expect((await wire.requests(model)).map(({ step }) => step)).toEqual([0, 2, 4]);
  });

  test("sends arguments that are not JSON", async () => {
    const model = await offer(wire, { say: [{ call: "ls", rawInput: '{"path": "a' }] });
    const result = streamText({ model: wire.model(model), prompt: "hello", tools });
    expect((await result.toolCalls)[0]).toMatchObject({ toolName: "ls", input: '{"path": "a', invalid: true });
  });

  test("stops for want of tokens", async () => {
    const model = await offer(wire, { say: [{ text: "half of" }], finishReason: "length" });
    expect(await streamText({ model: wire.model(model), prompt: "hello" }).finishReason).toBe("length");
  });

  test("sees images, and a condition can ask for them", async () => {
    const model = await offer(
      wire,
      { say: [{ text: "no image" }] },
      { when: { prompt: { includes: "this", media: "image/" } }, say: [{ text: "a pixel" }] },
    );
    expect((await generateText({ model: wire.model(model), messages: withImage })).text).toBe("a pixel");
    expect((await generateText({ model: wire.model(model), prompt: "what is this?" })).text).toBe("no image");
    const [first, second] = await wire.requests(model);
    expect(first?.media).toEqual([`data:image/png;base64,${PIXEL}`]);
    expect(JSON.stringify(first?.body)).toContain(PIXEL);
    expect(second).not.toHaveProperty("media");
  });

  test("gives the same calls and ids as in the process", async () => {
    const steps: ScriptStep[] = [
      { say: [{ text: "looking" }, { call: "ls", input: {} }] },
      { when: { result: { includes: "a.ts" } }, say: [{ text: "Now: " }, { call: "cat", input: { path: "a.ts" } }] },
    ];
    const model = await offer(wire, ...steps);
    const ids = async (played: Parameters<typeof generateText>[0]["model"]): Promise<string[]> => {
      const messages: ModelMessage[] = [
        ...withImage,
        { role: "user", content: "and that?" },
        { role: "assistant", content: [{ type: "tool-call", toolCallId: "1", toolName: "ls", input: {} }] },
        {
          role: "tool",
          content: [{ type: "tool-result", toolCallId: "1", toolName: "ls", output: { type: "text", value: "a.ts" } }],
        },
        { role: "user", content: "quickly" },
      ];
      const result = await generateText({
        model: played,
        messages,
        tools: { cat: tool({ inputSchema: list.inputSchema }) },
      });
      // The Workers AI package puts something behind each id, and takes it off again.
      return result.toolCalls.map((call) => call.toolCallId.replace(/::.*/, ""));
    };
    const expected = await ids(scriptedModel({ model, steps }));
    expect(expected).toHaveLength(1);
    expect(await ids(wire.model(model))).toEqual(expected);
  });

  test("a fault that passes is survived by a retry", async () => {
    const error = { status: 429, message: "not now", retryAfter: 0, times: 1 };
    const model = await offer(wire, { say: [{ error }, { text: "ok" }] });
    const result = streamText({ model: wire.model(model), prompt: "hello", maxRetries: 1 });
    expect(await result.text).toBe("ok");
    expect(await wire.requests(model)).toHaveLength(2);
  });

  test("a prompt that was sent before is read from the cache, a changed one is not", async () => {
    const model = await offer(wire, { when: { prompt: { includes: "" } }, say: [{ text: "ok" }] });
    const cached = async (instructions: string): Promise<number> => {
      const cacheControl = { anthropic: { cacheControl: { type: "ephemeral" } } };
      const system = { role: "system", content: instructions, providerOptions: cacheControl } as const;
      const { usage } = await generateText({ model: wire.model(model), instructions: system, prompt: "hello" });
      return usage.inputTokenDetails.cacheReadTokens ?? 0;
    };
    expect(await cached("x".repeat(400))).toBe(0);
    expect(await cached("x".repeat(400))).toBeGreaterThanOrEqual(100);
    expect(await cached("y".repeat(400))).toBe(0);
  });
});
