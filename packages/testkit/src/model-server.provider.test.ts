import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { ModelMessage } from "ai";
import { APICallError, generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { modelServerClient } from "./model-server-client.ts";
import { scriptedModel } from "./model/scripted-model.ts";
import type { Script, ScriptPart, ScriptStep } from "./script/script.ts";

// The real provider against the real server, over HTTP, in Node and in workerd.
const server = modelServerClient(inject("modelServerUrl"));
const provider = createOpenAICompatible({
  name: "server",
  baseURL: server.baseURL,
  apiKey: "secret",
  includeUsage: true,
});

let model: string;
beforeEach(() => {
  model = crypto.randomUUID();
});

async function offer(...steps: ScriptStep[]): Promise<Script> {
  const script = { model, steps };
  await server.addScript(script);
  return script;
}

const say = (...parts: ScriptPart[]): Promise<Script> => offer({ say: parts });
const list = tool({ inputSchema: jsonSchema<object>({ type: "object" }), execute: async () => "a.ts" });
const tools = { ls: list, cat: list };

interface Seen {
  readonly errors: unknown[];
  readonly types: string[];
}

/** Reads to the end. A connection that breaks throws out of the stream, other failures are parts of it. */
async function drain(result: { readonly stream: AsyncIterable<{ type: string; error?: unknown }> }): Promise<Seen> {
  const seen: Seen = { errors: [], types: [] };
  try {
    for await (const part of result.stream) {
      seen.types.push(part.type);
      if (part.type === "error") seen.errors.push(part.error);
    }
  } catch (error) {
    seen.errors.push(error);
  }
  return seen;
}

const quiet = { maxRetries: 0, onError: () => {} };

describe("a streamed answer", () => {
  test("has text, reasoning and usage with cached tokens", async () => {
    await offer({
      say: [{ reasoning: "Let me see." }, { text: "It is done." }],
      usage: { inputTokens: 100, cachedInputTokens: 80 },
    });
    const result = streamText({ model: provider(model), prompt: "hello" });
    expect((await drain(result)).types.filter((type) => type === "text-delta")).toHaveLength(3);
    expect(await result.text).toBe("It is done.");
    expect(await result.reasoningText).toBe("Let me see.");
    expect(await result.finishReason).toBe("stop");
    const { inputTokens, inputTokenDetails, outputTokens, outputTokenDetails } = await result.usage;
    expect({ inputTokens, outputTokens }).toEqual({ inputTokens: 100, outputTokens: 6 });
    expect(inputTokenDetails.cacheReadTokens).toBe(80);
    expect(outputTokenDetails.reasoningTokens).toBe(3);
  });

  test("without usage reports none", async () => {
    await offer({ say: [{ text: "ok" }], usage: null });
    const result = streamText({ model: provider(model), prompt: "hello" });
    await drain(result);
    expect((await result.usage).inputTokens).toBeUndefined();
  });

  test("has parallel calls, and goes on from their results", async () => {
    await offer(
      {
        say: [
          { call: "ls", input: { path: "src" } },
          { call: "cat", input: {}, id: "mine" },
        ],
      },
      { when: { result: { tool: "ls", includes: "b.ts" } }, say: [{ text: "wrong" }] },
      { when: { result: { tool: "cat", includes: "a.ts" } }, say: [{ text: "right" }] },
    );
    const result = streamText({ model: provider(model), prompt: "hello", tools, stopWhen: stepCountIs(3) });
    await drain(result);
    const [first] = await result.steps;
    expect(first?.toolCalls.map((call) => [call.toolName, call.input])).toEqual([
      ["ls", { path: "src" }],
      ["cat", {}],
    ]);
    expect(first?.toolCalls[1]?.toolCallId).toBe("mine");
    expect(first?.finishReason).toBe("tool-calls");
    expect(await result.text).toBe("right");
    expect((await server.requests(model)).map(({ step }) => step)).toEqual([0, 2]);
  });

  test("may lie about the finish reason, or send arguments that are not JSON", async () => {
    await offer({ say: [{ call: "ls", rawInput: '{"path": "a' }], finishReason: "stop" });
    const result = streamText({ model: provider(model), prompt: "hello", tools });
    await drain(result);
    expect(await result.rawFinishReason).toBe("stop");
    expect((await result.toolCalls)[0]).toMatchObject({ toolName: "ls", input: '{"path": "a', invalid: true });
  });
});

describe("one engine", () => {
  const history: ModelMessage[] = [
    { role: "user", content: "look" },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "hm" },
        { type: "text", text: "looking" },
        { type: "tool-call", toolCallId: "1", toolName: "ls", input: { path: "." } },
      ],
    },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "1",
          toolName: "ls",
          output: { type: "content", value: [{ type: "text", text: "a.ts" }] },
        },
      ],
    },
    { role: "user", content: "and tell me" },
  ];

  test("gives the same calls, ids and usage in the process and over HTTP", async () => {
    const script = await offer(
      { say: [{ text: "looking" }] },
      {
        when: { result: { includes: "a.ts" } },
        say: [{ reasoning: "so" }, { text: "Now: " }, { call: "cat", input: { path: "a.ts" } }],
      },
    );
    // The first call, so that the cache has it.
    await drain(streamText({ model: provider(model), instructions: "Be brief.", messages: history.slice(0, 1) }));
    const answers = [provider(model), scriptedModel(script)].map(async (played) => {
      const result = streamText({ model: played, instructions: "Be brief.", messages: history });
      await drain(result);
      const calls = await result.toolCalls;
      const { inputTokens, outputTokens, inputTokenDetails } = await result.usage;
      return {
        text: await result.text,
        ids: calls.map((call) => call.toolCallId),
        inputTokens,
        outputTokens,
        inputTokenDetails,
      };
    });
    const [served, inProcess] = await Promise.all(answers);
    expect({ ...served, inputTokenDetails: {} }).toEqual({ ...inProcess, inputTokenDetails: {} });
    expect(served?.inputTokenDetails.cacheReadTokens).toBe(inProcess?.inputTokenDetails.cacheReadTokens);
  });
});

describe("faults", () => {
  test.each([401, 400, 429, 503])("a refused call has status %i", async (status) => {
    await say({ error: { status, message: "not now", retryAfter: 3 } });
    const { errors } = await drain(streamText({ model: provider(model), prompt: "hello", ...quiet }));
    const [error] = errors;
    if (!APICallError.isInstance(error)) throw error;
    expect(error).toMatchObject({
      statusCode: status,
      message: "not now",
      isRetryable: status === 429 || status === 503,
    });
    expect(error.responseHeaders?.["retry-after"]).toBe("3");
  });

  test("that pass are survived by a retry", async () => {
    await say({ error: { status: 429, message: "not now", retryAfter: 0, times: 1 } }, { text: "ok" });
    const result = streamText({ model: provider(model), prompt: "hello", maxRetries: 1 });
    await drain(result);
    expect(await result.text).toBe("ok");
    expect(await server.requests(model)).toHaveLength(2);
  });

  test("a call that no step answers is refused with what the script saw", async () => {
    await offer({ when: { prompt: { includes: "add" } }, say: [] });
    const { errors } = await drain(streamText({ model: provider(model), prompt: "fix", ...quiet }));
    expect(errors[0]).toMatchObject({ statusCode: 400, message: expect.stringContaining('It saw the prompt "fix"') });
  });

  test("an error after content breaks the stream", async () => {
    await say({ text: "half" }, { error: { message: "broke" } });
    const { errors, types } = await drain(streamText({ model: provider(model), prompt: "hello", ...quiet }));
    expect(types).toContain("text-delta");
    expect(errors).toEqual([expect.objectContaining({ message: "broke" })]);
  });

  test.each<[string, ScriptPart]>([
    ["text", { text: "one two three four" }],
    ["a call", { call: "ls", input: { path: "a/b/c" } }],
  ])("a cut inside %s fails the answer", async (_name, part) => {
    await say(part, { cut: true });
    const result = streamText({ model: provider(model), prompt: "hello", tools, ...quiet });
    const { errors, types } = await drain(result);
    expect(errors).not.toEqual([]);
    expect(types).not.toContain("tool-call");
    expect(types.filter((type) => type.endsWith("-delta"))).not.toEqual([]);
  });

  test("a cut at the start fails the call", async () => {
    await say({ cut: true });
    const { errors, types } = await drain(streamText({ model: provider(model), prompt: "hello", ...quiet }));
    expect(errors).toHaveLength(1);
    expect(types).not.toContain("text-delta");
  });
});

test("an answer in one piece", async () => {
  await offer({ say: [{ reasoning: "hm" }, { text: "ok" }, { call: "cat", input: {} }], finishReason: "length" });
  const result = await generateText({ model: provider(model), prompt: "hello" });
  expect(result.text).toBe("ok");
  expect(result.reasoningText).toBe("hm");
  expect(result.toolCalls).toHaveLength(1);
  expect(result.finishReason).toBe("length");
  expect(result.usage.outputTokens).toBe(4);
});

test("requests are recorded with their headers, without keys", async () => {
  await say({ text: "ok" });
  await generateText({ model: provider(model), prompt: "hello" });
  const [request] = await server.requests(model);
  expect(request?.headers["authorization"]).toBe("Bearer ***");
  expect(request?.body).toMatchObject({ model, messages: [{ role: "user", content: "hello" }] });
});

test("a script that is not valid is refused", async () => {
  await expect(server.addScript({ model, steps: [] })).rejects.toThrow("steps is empty");
});
