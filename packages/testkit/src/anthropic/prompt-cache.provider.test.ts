import { createAnthropic } from "@ai-sdk/anthropic";
import type { ModelMessage } from "ai";
import { generateText, jsonSchema, tool } from "ai";
import { describe, expect, test } from "vitest";
import { server } from "../with-wires.ts";

const provider = createAnthropic({ baseURL: server.baseURL, apiKey: "secret" });
const mark = { anthropic: { cacheControl: { type: "ephemeral" } } } as const;
const long = (letter: string): string => letter.repeat(400);

/** What a call read from the cache, wrote to it, and sent beside. */
type Share = readonly [read: number, written: number, rest: number];

interface Sent {
  readonly system?: string;
  readonly markSystem?: boolean;
  readonly messages: ModelMessage[];
  readonly tools?: Parameters<typeof generateText>[0]["tools"];
}

async function offer(): Promise<(sent: Sent) => Promise<Share>> {
  const model = crypto.randomUUID();
  await server.addScript({ model, steps: [{ when: { prompt: { includes: "" } }, say: [{ text: "ok" }] }] });
  return async ({ system = long("s"), markSystem = false, messages, tools }) => {
    const instructions = { role: "system", content: system, ...(markSystem ? { providerOptions: mark } : {}) } as const;
    const { usage } = await generateText({
      model: provider(model),
      instructions,
      messages,
      ...(tools ? { tools } : {}),
    });
    const { cacheReadTokens = 0, cacheWriteTokens = 0, noCacheTokens = 0 } = usage.inputTokenDetails;
    return [cacheReadTokens, cacheWriteTokens, noCacheTokens];
  };
}

const user = (text: string, marked = false): ModelMessage => ({
  role: "user",
  content: [{ type: "text", text, ...(marked ? { providerOptions: mark } : {}) }],
});

describe("what Anthropic Messages counts as cached", () => {
  test("nothing without a mark", async () => {
    const call = await offer();
    const messages = [user(long("u"))];
    expect(await call({ messages })).toEqual([0, 0, 200]);
    expect(await call({ messages })).toEqual([0, 0, 200]);
  });

  test("up to the mark, when all before it is the same", async () => {
    const call = await offer();
    expect(await call({ markSystem: true, messages: [user(long("u"))] })).toEqual([0, 100, 100]);
    expect(await call({ markSystem: true, messages: [user(long("v"))] })).toEqual([100, 0, 100]);
    expect(await call({ markSystem: true, system: long("t"), messages: [user(long("v"))] })).toEqual([0, 100, 100]);
  });

  test("tools stand before the system prompt", async () => {
    const call = await offer();
    const described = (description: string): Sent["tools"] => ({
      ls: tool({ description, inputSchema: jsonSchema<object>({ type: "object" }) }),
    });
    const messages = [user("u")];
    const [, written] = await call({ markSystem: true, messages, tools: described("Lists.") });
    expect((await call({ markSystem: true, messages, tools: described("Lists.") }))[0]).toBe(written);
    expect((await call({ markSystem: true, messages, tools: described("Lists all.") }))[0]).toBe(0);
  });

  test("a mark that moves along with the last message finds the one before", async () => {
    const call = await offer();
    const first = user(long("1"), true);
    const answer: ModelMessage = { role: "assistant", content: long("a") };
    expect(await call({ messages: [first] })).toEqual([0, 200, 0]);
    expect(await call({ messages: [user(long("1")), answer, user(long("2"), true)] })).toEqual([200, 200, 0]);
    expect(await call({ messages: [user(long("1")), answer, user(long("3"), true)] })).toEqual([200, 200, 0]);
  });

  test("an entry more than 20 blocks before the mark is not found", async () => {
    const call = await offer();
    const more = (count: number): ModelMessage[] => Array.from({ length: count }, (_, n) => user(String(n).padEnd(4)));
    expect(await call({ messages: [user(long("1"), true)] })).toEqual([0, 200, 0]);
    expect((await call({ messages: [user(long("1")), ...more(18), user("end", true)] }))[0]).toBe(200);
    expect((await call({ messages: [user(long("1")), ...more(25), user("end!", true)] }))[0]).toBe(0);
  });
});

test("a thinking block must come back with its signature", async () => {
  const model = crypto.randomUUID();
  await server.addScript({
    model,
    steps: [{ say: [{ reasoning: "hm" }, { text: "ok" }] }, { say: [{ text: "yes" }] }],
  });
  const first = await generateText({ model: provider(model), prompt: "hello" });
  const next = (answer: ModelMessage[]): Promise<{ text: string }> =>
    generateText({ model: provider(model), messages: [user("hello"), ...answer, user("sure?")] });
  expect((await next(first.responseMessages)).text).toBe("yes");
  const forged = JSON.parse(JSON.stringify(first.responseMessages).replace("sig_", "sig_0")) as ModelMessage[];
  await expect(next(forged)).rejects.toThrow("Invalid `signature` in `thinking` block");
});
