import { describe, expect, test } from "vitest";
import { manualClock } from "../fakes/manual-clock.ts";
import type { ScriptPart } from "../script/script.ts";
import { workersAiBinding } from "./workers-ai-binding.ts";

const MODEL = "@cf/a";
const inputs = { messages: [{ role: "user", content: "hi" }] };
const say = (...parts: ScriptPart[]): ReturnType<typeof workersAiBinding> =>
  workersAiBinding({ model: MODEL, steps: [{ say: parts }] });

async function thrown(running: Promise<object>): Promise<unknown> {
  return running.then(
    () => "nothing",
    (error: unknown) => error,
  );
}

describe("workersAiBinding", () => {
  test("resolves with the answer, or with a stream of events", async () => {
    expect(await say({ text: "ok" }).run(MODEL, inputs)).toMatchObject({ choices: [{ message: { content: "ok" } }] });
    const stream = await say({ text: "ok" }).run(MODEL, { ...inputs, stream: true });
    const events = await new Response(stream as ReadableStream).text();
    expect(events).toContain('"delta":{"content":"ok"}');
    expect(events).toContain('"prompt_tokens":1');
    expect(events).toMatch(/data: \[DONE\]\n\n$/);
  });

  test("resolves with a response when that is asked for, also for an error", async () => {
    const binding = say({ error: { status: 429, message: "not now", retryAfter: 3 } });
    const response = (await binding.run(MODEL, inputs, { returnRawResponse: true })) as Response;
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "3"]);
  });

  test("rejects with the number of the error", async () => {
    const error = { status: 429, message: "Capacity temporarily exceeded, please try again.", code: "3040" };
    expect(await thrown(say({ error }).run(MODEL, inputs))).toMatchObject({
      name: "InferenceUpstreamError",
      message: "3040: Capacity temporarily exceeded, please try again.",
    });
    expect(await thrown(say({ text: "ok" }).run("@cf/b", inputs))).toMatchObject({
      message: '5007: The model "@cf/b" does not exist. There are: @cf/a.',
    });
  });

  test("rejects with a lost connection where that breaks, and fails the stream", async () => {
    await expect(say({ cut: true }).run(MODEL, inputs)).rejects.toThrow("Network connection lost.");
    const stream = await say({ text: "one two" }, { cut: true }).run(MODEL, { ...inputs, stream: true });
    await expect(new Response(stream as ReadableStream).text()).rejects.toThrow("Network connection lost.");
  });

  test("waits on the clock, and stops at the signal", async () => {
    const clock = manualClock(0);
    const script = { model: MODEL, steps: [{ say: [{ delay: 1000 }, { text: "ok" }] }] };
    const stop = new AbortController();
    const running = thrown(workersAiBinding(script, { clock }).run(MODEL, inputs, { signal: stop.signal }));
    stop.abort(new Error("enough"));
    expect(await running).toMatchObject({ message: "enough" });
  });

  test("records inputs and options", async () => {
    const binding = say({ text: "ok" });
    binding.addScript({ model: "@cf/b", steps: [{ say: [{ text: "b" }] }] });
    await binding.run("@cf/b", inputs, { gateway: { id: "g" }, extraHeaders: { "x-a": "1" } });
    expect(binding.requests).toMatchObject([
      {
        path: "binding",
        model: "@cf/b",
        step: 0,
        body: { inputs, options: { gateway: { id: "g" } } },
        headers: { "x-a": "1" },
      },
    ]);
  });
});
