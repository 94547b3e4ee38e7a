import type { LanguageModelV4CallOptions, LanguageModelV4Prompt, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { APICallError } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import type { Script, ScriptPart, ScriptStep } from "../script/script.ts";
import { scriptedModel } from "./scripted-model.ts";

const script = (...steps: ScriptStep[]): Script => ({ model: "m", steps });
const say = (...parts: ScriptPart[]): Script => script({ say: parts });
const user = (text: string): LanguageModelV4Prompt[number] => ({ role: "user", content: [{ type: "text", text }] });
const ask = (text = "hello"): LanguageModelV4CallOptions => ({ prompt: [user(text)] });

async function read(stream: ReadableStream<LanguageModelV4StreamPart>): Promise<LanguageModelV4StreamPart[]> {
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

async function play(played: Script, call: LanguageModelV4CallOptions = ask()): Promise<LanguageModelV4StreamPart[]> {
  return read((await scriptedModel(played).doStream(call)).stream);
}

const deltas = (parts: LanguageModelV4StreamPart[], type: LanguageModelV4StreamPart["type"]): string[] =>
  parts.flatMap((part) => (part.type === type && "delta" in part ? [part.delta] : []));

describe("a stream", () => {
  test("has text in words, reasoning in pieces, then the finish", async () => {
    const parts = await play(say({ reasoning: "Let me think." }, { text: "One two  three\n" }));
    expect(deltas(parts, "reasoning-delta")).toEqual(["Let ", "me ", "think."]);
    expect(deltas(parts, "text-delta")).toEqual(["One ", "two  ", "three\n"]);
    expect(parts.map((part) => part.type)).toEqual([
      "stream-start",
      "response-metadata",
      "reasoning-start",
      ...Array<string>(3).fill("reasoning-delta"),
      "reasoning-end",
      "text-start",
      ...Array<string>(3).fill("text-delta"),
      "text-end",
      "finish",
    ]);
  });

  test("streams the arguments of a call in pieces and finishes with tool-calls", async () => {
    const input = { path: "src/a.ts", content: "export const a = 1;\n".repeat(3) };
    const parts = await play(say({ call: "write", input }, { call: "ls", input: {}, id: "mine" }));
    expect(deltas(parts, "tool-input-delta").length).toBeGreaterThan(3);
    const calls = parts.filter((part) => part.type === "tool-call");
    expect(calls.map((call) => [call.toolName, JSON.parse(call.input)])).toEqual([
      ["write", input],
      ["ls", {}],
    ]);
    expect(calls[0]?.toolCallId).toMatch(/^call_\w{10}_1$/);
    expect(calls[1]?.toolCallId).toBe("mine");
    expect(parts.at(-1)).toMatchObject({ type: "finish", finishReason: { unified: "tool-calls" } });
  });

  test("sends raw arguments as they stand", async () => {
    const parts = await play(say({ call: "write", rawInput: '{"path": "a' }));
    expect(parts.find((part) => part.type === "tool-call")).toMatchObject({ input: '{"path": "a' });
  });

  test("may lie about the finish reason", async () => {
    const parts = await play(script({ say: [{ call: "ls", input: {} }], finishReason: "stop" }));
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: "stop", raw: "stop" } });
  });
});

describe("a repeated call", () => {
  test("gets the same answer with the same ids, also from another instance", async () => {
    const twice = say({ call: "ls", input: {} });
    expect(await play(twice)).toEqual(await play(twice));
  });

  test("with another conversation has other ids", async () => {
    const id = async (text: string): Promise<unknown> =>
      (await play(say({ call: "ls", input: {} }), ask(text))).find((part) => part.type === "tool-call")?.toolCallId;
    expect(await id("a")).not.toBe(await id("b"));
  });

  test("is refused only as often as `times` says", async () => {
    const model = scriptedModel(say({ error: { status: 429, message: "slow down", times: 2 } }, { text: "ok" }));
    await expect(model.doStream(ask())).rejects.toThrow("slow down");
    await expect(model.doStream(ask())).rejects.toThrow("slow down");
    await expect(model.doStream(ask("other"))).rejects.toThrow("slow down");
    expect(deltas(await read((await model.doStream(ask())).stream), "text-delta")).toEqual(["ok"]);
  });
});

describe("usage", () => {
  const usageOf = async (played: Script, call = ask()): Promise<unknown> => {
    const finish = (await play(played, call)).at(-1);
    return finish?.type === "finish" ? finish.usage : undefined;
  };

  test("is estimated, and what the previous call sent counts as cached", async () => {
    const prompt: LanguageModelV4Prompt = [
      { role: "system", content: "x".repeat(400) },
      user("y".repeat(40)),
      { role: "assistant", content: [{ type: "text", text: "z".repeat(20) }] },
      user("w".repeat(8)),
    ];
    const answers = script(
      { say: [{ text: "first" }] },
      { say: [{ reasoning: "r".repeat(12) }, { text: "t".repeat(16) }] },
    );
    expect(await usageOf(answers, { prompt })).toEqual({
      inputTokens: { total: 117, noCache: 7, cacheRead: 110, cacheWrite: 0 },
      outputTokens: { total: 7, text: 4, reasoning: 3 },
    });
    expect(await usageOf(answers, { prompt: prompt.slice(0, 2) })).toMatchObject({ inputTokens: { cacheRead: 0 } });
  });

  test("that is given in part still adds up", async () => {
    const prompt: LanguageModelV4Prompt = [
      user("x".repeat(400)),
      { role: "assistant", content: [{ type: "text", text: "a" }] },
      user("y"),
    ];
    const given = script({ say: [] }, { say: [], usage: { inputTokens: 10 } });
    expect(await usageOf(given, { prompt })).toMatchObject({
      inputTokens: { total: 10, cacheRead: 10, cacheWrite: 0, noCache: 0 },
    });
  });

  test("can be given, or left out as some providers do", async () => {
    const given = script({ say: [{ text: "ok" }], usage: { inputTokens: 1000, cachedInputTokens: 900 } });
    expect(await usageOf(given)).toMatchObject({
      inputTokens: { total: 1000, noCache: 100 },
      outputTokens: { total: 1 },
    });
    const none = script({ say: [{ text: "ok" }], usage: null });
    expect(await usageOf(none)).toMatchObject({
      inputTokens: { total: undefined },
      outputTokens: { total: undefined },
    });
  });
});

describe("faults", () => {
  test("an error first fails the call, with status and retry-after", async () => {
    const call = play(say({ error: { status: 503, message: "overloaded", retryAfter: 2 } }));
    const error = await call.catch((reason: unknown) => reason);
    if (!APICallError.isInstance(error)) throw error;
    expect(error).toMatchObject({ statusCode: 503, message: "overloaded", isRetryable: true });
    expect(error.responseHeaders).toEqual({ "retry-after": "2" });
  });

  test("an error after content is a part of the stream", async () => {
    const parts = await play(say({ text: "half" }, { error: { message: "broke" } }));
    expect(parts.at(-2)).toMatchObject({ type: "error", error: { message: "broke" } });
    expect(parts.at(-1)).toMatchObject({ type: "finish", finishReason: { unified: "error" } });
  });

  test("a cut ends the stream in the middle of a part", async () => {
    const { stream } = await scriptedModel(say({ text: "one two three four" }, { cut: true })).doStream(ask());
    const seen: string[] = [];
    const reading = (async () => {
      for await (const part of stream) if (part.type === "text-delta") seen.push(part.delta);
    })();
    await expect(reading).rejects.toThrow("terminated");
    expect(seen.join("")).toBe("one two t");
  });

  test("a cut at the start is a connection that never came about", async () => {
    await expect(play(say({ cut: true }))).rejects.toThrow("fetch failed");
  });

  test("an error may come in the stream at once", async () => {
    const parts = await play(say({ error: { message: "broke", inStream: true } }));
    expect(parts.map((part) => part.type)).toEqual(["stream-start", "response-metadata", "error", "finish"]);
  });

  test("retry-after may be a date", async () => {
    const clock = { now: () => 0, sleep: async () => {} };
    const model = scriptedModel(say({ error: { message: "m", retryAfter: 2, retryAfterDate: true } }), { clock });
    await expect(model.doStream(ask())).rejects.toMatchObject({
      responseHeaders: { "retry-after": "Thu, 01 Jan 1970 00:00:02 GMT" },
    });
  });

  test("a clean cut ends the stream without saying that it is done", async () => {
    const parts = await play(say({ call: "ls", input: { path: "a/b" } }, { cut: "clean" }));
    expect(parts.map((part) => part.type)).not.toContain("tool-call");
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: "interrupted" } });
  });

  test("what is no answer fails the call, or is an error in the stream", async () => {
    await expect(play(say({ raw: "<html>", status: 502 }))).rejects.toMatchObject({
      statusCode: 502,
      responseBody: "<html>",
    });
    const parts = await play(say({ text: "a" }, { raw: "data: {" }, { text: "b" }));
    expect(parts.filter(({ type }) => type === "error")).toHaveLength(1);
    expect(deltas(parts, "text-delta")).toEqual(["a", "b"]);
  });

  test("a stall is silence in the middle of a part, until an abort", async () => {
    const stop = new AbortController();
    const { stream } = await scriptedModel(say({ text: "one two" }, { stall: true })).doStream({
      ...ask(),
      abortSignal: stop.signal,
    });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const part of stream) if (part.type === "text-delta") seen.push(part.delta);
    })();
    await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort(new Error("enough"));
    await expect(reading).rejects.toThrow("enough");
    expect(seen).toEqual(["one "]);
  });

  test("an abort ends a delay and the stream, with its reason", async () => {
    const stop = new AbortController();
    const model = scriptedModel(say({ text: "now" }, { delay: 60_000 }, { text: "later" }));
    const { stream } = await model.doStream({ ...ask(), abortSignal: stop.signal });
    const reading = (async () => {
      for await (const part of stream) if (part.type === "text-end") stop.abort(new Error("enough"));
    })();
    await expect(reading).rejects.toThrow("enough");
  });

  test("a reader that leaves ends a delay", async () => {
    const slept: AbortSignal[] = [];
    const clock = {
      now: () => 0,
      sleep: (_ms: number, signal?: AbortSignal) => {
        if (signal) slept.push(signal);
        return new Promise<void>(() => {});
      },
    };
    const { stream } = await scriptedModel(say({ text: "a" }, { delay: 1 }), { clock }).doStream(ask());
    const reader = stream.getReader();
    for (let i = 0; i < 5; i++) await reader.read();
    void reader.read();
    await new Promise((resolve) => setTimeout(resolve));
    await reader.cancel();
    expect(slept.map((signal) => signal.aborted)).toEqual([true]);
  });
});

test("`pace` waits before each delta", async () => {
  const waits: number[] = [];
  const clock = { now: () => 0, sleep: async (ms: number) => void waits.push(ms) };
  await read((await scriptedModel({ ...say({ text: "a b c" }), pace: 7 }, { clock }).doStream(ask())).stream);
  expect(waits).toEqual([7, 7, 7]);
});

describe("doGenerate", () => {
  test("gives the whole answer", async () => {
    const model = scriptedModel(say({ reasoning: "hm" }, { text: "a b" }, { call: "ls", input: {} }));
    const { content, finishReason } = await model.doGenerate(ask());
    expect(content).toMatchObject([
      { type: "reasoning", text: "hm" },
      { type: "text", text: "a b" },
      { type: "tool-call", toolName: "ls", input: "{}" },
    ]);
    expect(finishReason.unified).toBe("tool-calls");
  });

  test.each<[string, ScriptPart[]]>([
    ["broke", [{ text: "a" }, { error: { message: "broke" } }]],
    ["terminated", [{ text: "a b c" }, { cut: true }]],
  ])("throws %s", async (message, parts) => {
    await expect(scriptedModel(say(...parts)).doGenerate(ask())).rejects.toThrow(message);
  });
});

test("calls are recorded", async () => {
  const model = scriptedModel(say({ text: "ok" }));
  await model.doGenerate(ask("first"));
  expect(model.calls.map((call) => call.prompt)).toEqual([[user("first")]]);
});
