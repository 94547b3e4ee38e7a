import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { describe, expect, test } from "vitest";
import { type AgentFixture, last, withAgent } from "./with-agent.ts";

interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly unknown[];
}

/** An answer as such providers stream it. */
function answer(delta: object): Response {
  const chunks = [{ delta }, { delta: {}, finish_reason: "stop" }];
  const lines = chunks.map((chunk) => `data: ${JSON.stringify({ choices: [{ index: 0, ...chunk }] })}\n\n`);
  return new Response([...lines, "data: [DONE]\n\n"].join(""), { headers: { "content-type": "text/event-stream" } });
}

/** An agent whose provider is real up to its `fetch`, and the messages of each request. */
async function withProvider(...answers: object[]): Promise<{ agent: AgentFixture; sent: Message[][] }> {
  const sent: Message[][] = [];
  const provider = createOpenAICompatible({
    name: "wire",
    baseURL: "https://provider.test/v1",
    fetch: async (_url, init) => {
      sent.push((JSON.parse(init?.body as string) as { messages: Message[] }).messages);
      return answer(answers.shift() ?? { content: "Done." });
    },
  });
  const agent = await withAgent({
    says: [],
    setup: (a) => {
      a.providers = { wire: () => provider("m") };
      a.model = "wire/m";
    },
  });
  return { agent, sent };
}

describe("a turn", () => {
  test("reads, edits and runs bash on the tree, and answers", async () => {
    const agent = await withAgent({
      says: [
        [
          { reasoning: "look" },
          { text: "Looking." },
          { call: "grep", input: { pattern: "wrong" } },
          { call: "read", input: { path: "src/a.ts" } },
        ],
        [{ call: "edit", input: { path: "src/a.ts", edits: [{ oldText: "wrong", newText: "right" }] } }],
        [{ call: "bash", input: { command: "grep -c right src/a.ts > count.txt && cat count.txt" } }],
        [{ text: "Done." }],
      ],
    });
    await agent.write("/src/a.ts", "export const a = 'wrong';\n");
    await agent.submit("fix it");
    expect(await agent.settle()).toEqual({ operationId: "op", status: "done", text: "Done.", turn: 1 });
    expect(await agent.read("/src/a.ts")).toBe("export const a = 'right';\n");
    expect(await agent.read("/count.txt")).toBe("1\n");

    const events = await agent.events();
    expect(events.map((e) => e.seq)).toEqual(events.map((_, i) => i + 1));
    const results = events.filter((e) => e.type === "tool-result").map((e) => `${e.toolName} ${e.status}`);
    expect(results.toSorted()).toEqual(["bash ok", "edit ok", "grep ok", "read ok"]);
    expect(events.filter((e) => e.type === "file-change").map((e) => [e.path, e.change])).toEqual([
      ["/src/a.ts", "modify"],
      ["/count.txt", "create"],
    ]);
    expect(events.filter((e) => e.type === "usage")).toHaveLength(4);
    expect(last(events, "turn-end")).toMatchObject({ reason: "done", text: "Done." });
  });

  test("goes on when the finish reason says stop beside calls", async () => {
    const agent = await withAgent({
      says: [
        { say: [{ call: "write", input: { path: "a.txt", content: "x" } }], finishReason: "stop" },
        { say: [{ text: "Done." }] },
      ],
    });
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done", text: "Done." });
    expect(await agent.read("/a.txt")).toBe("x");
  });

  test.each([
    ["arguments that are not JSON", { call: "read", rawInput: "{oops" }, "The arguments of read are not valid"],
    ["arguments that miss the schema", { call: "read", input: { file: 1 } }, "The arguments of read are not valid"],
    ["an invented tool", { call: "teleport", input: {} }, 'There is no tool "teleport". The tools are: read, write,'],
    ["a path outside the tree", { call: "read", input: { path: "/etc/passwd" } }, "inside /workspace"],
    ["a path above the tree", { call: "write", input: { path: "../x", content: "" } }, "inside /workspace"],
    ["a missing file", { call: "read", input: { path: "no.ts" } }, "No such file or directory"],
  ])("%s: the model is told, and the turn goes on", async (_name, call, text) => {
    const agent = await withAgent({ says: [[call], [{ text: "Sorry." }]] });
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done", text: "Sorry." });
    const { output, status } = last(await agent.events(), "tool-result");
    expect(status).toBe("error");
    expect(output.text).toContain(text);
    expect(output.text).not.toMatch(/\n\s+at /);
  });

  test("a binary file and a 50 MB file are not poured into the conversation", async () => {
    const agent = await withAgent({
      says: [
        [{ call: "read", input: { path: "a.bin" } }],
        [{ call: "read", input: { path: "big.txt" } }],
        [{ call: "grep", input: { pattern: "needle" } }],
        [{ text: "Done." }],
      ],
    });
    await agent.write("/a.bin", new Uint8Array([0, 1, 2, 3]));
    const big = new Uint8Array(50 * 1024 * 1024).fill(97);
    for (let at = 99; at < big.length; at += 100) big[at] = 10;
    big.set(new TextEncoder().encode("needle"), big.length - 500);
    await agent.write("/big.txt", big);
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done" });
    const [binary, text, found] = (await agent.events()).flatMap((e) => (e.type === "tool-result" ? [e.output] : []));
    expect(binary).toMatchObject({ isError: true, text: expect.stringContaining("binary") });
    expect(text?.text).toContain("offset=");
    expect(text?.text.length).toBeLessThan(60_000);
    expect(found?.text).toContain("needle");
  });

  test("every step begins with the same bytes, at most 6 KB before the conversation", async () => {
    const { requests } = await import("../vitest.worker.ts");
    requests.length = 0;
    const call = { call: "ls", input: {} };
    const agent = await withAgent({ says: [[call], [{ ...call, input: { path: "." } }], [{ text: "Done." }]] });
    await agent.submit("go");
    await agent.settle();
    // Cache markers move along with the conversation, beside the bytes that are cached.
    const parsed = requests.map((r) => JSON.parse(r) as { prompt: { providerOptions?: unknown }[]; tools: unknown });
    expect(parsed).toHaveLength(3);
    const [first, second, third] = parsed.map(({ prompt, tools }) => ({
      prompt: prompt.map(({ providerOptions: _markers, ...message }) => JSON.stringify(message)),
      tools: JSON.stringify(tools),
    }));
    const size = (first?.tools.length ?? 0) + (first?.prompt[0]?.length ?? 0);
    expect(size).toBeLessThan(6 * 1024);
    expect(second?.tools).toBe(first?.tools);
    expect(second?.prompt.slice(0, first?.prompt.length)).toEqual(first?.prompt);
    expect(third?.prompt.slice(0, second?.prompt.length)).toEqual(second?.prompt);
  });

  test("the project's AGENTS.md is part of the system prompt", async () => {
    const { requests } = await import("../vitest.worker.ts");
    const agent = await withAgent({ says: [[{ text: "Done." }]] });
    await agent.write("/AGENTS.md", "Always use tabs.");
    requests.length = 0;
    await agent.submit("go");
    await agent.settle();
    expect(requests[0]).toContain("Always use tabs.");
  });
});

describe("what a provider is sent", () => {
  test("has no message without content, also after an answer of reasoning alone, which is none", async () => {
    const { agent, sent } = await withProvider({ reasoning_content: "hm" });
    await agent.submit("one", "a");
    expect(await agent.settle("a")).toMatchObject({ status: "stopped", reason: "failed" });
    await agent.submit("two", "b");
    expect(await agent.settle("b")).toMatchObject({ status: "done", text: "Done." });
    const messages = sent.at(-1) ?? [];
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "user"]);
    for (const message of messages) expect(message.content).toBeTruthy();
  });

  test("has an image that was read as an image, not as megabytes of text", async () => {
    const call = { index: 0, id: "c", type: "function", function: { name: "read", arguments: '{"path":"a.png"}' } };
    const { agent, sent } = await withProvider({ tool_calls: [call] });
    const png = new Uint8Array(900_000);
    png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    await agent.write("/a.png", png);
    await agent.submit("look");
    expect(await agent.settle()).toMatchObject({ status: "done" });
    const messages = sent.at(-1) ?? [];
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "user"]);
    expect(String(messages[3]?.content).length).toBeLessThan(100_000);
    expect(messages[4]?.content).toContainEqual({
      type: "image_url",
      image_url: { url: expect.stringMatching(/^data:image\/png;base64,/) },
    });
  });
});

describe("caps", () => {
  const ls = (path: string): { call: string; input: { path: string } } => ({ call: "ls", input: { path } });

  test("steps", async () => {
    const agent = await withAgent({
      says: [[ls(".")], [ls("./")], [{ text: "never" }]],
      setup: (a) => {
        a.budget = { turn: { steps: 2 } };
      },
    });
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({
      status: "stopped",
      reason: "steps",
      message: expect.stringContaining("cap is 2"),
    });
  });

  test("money", async () => {
    const agent = await withAgent({
      says: [{ say: [ls(".")], usage: { inputTokens: 1_000_000, outputTokens: 0 } }, { say: [{ text: "never" }] }],
      setup: (a) => {
        a.budget = { turn: { usd: 2 } };
        a.prices = { [a.model]: { input: 3, cachedInput: 0, output: 0 } };
      },
    });
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({
      status: "stopped",
      reason: "budget",
      message: "Stopped: the turn has cost $3.0000, its cap is $2. Raise the agent's budget to go on.",
    });
  });

  test("steps, of which each try of a model call is one", async () => {
    const { requests } = await import("../vitest.worker.ts");
    const agent = await withAgent({
      says: [[{ error: { status: 500, message: "boom" } }]],
      setup: (a) => {
        a.budget = { turn: { steps: 1 } };
      },
    });
    requests.length = 0;
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "stopped", reason: "steps" });
    expect(requests).toHaveLength(1);
  });

  test("tokens, those of an answer that was cut off too", async () => {
    const { requests } = await import("../vitest.worker.ts");
    const agent = await withAgent({
      says: [[{ text: "y".repeat(4000) }, { cut: true }]],
      setup: (a) => {
        a.budget = { turn: { tokens: 1 } };
      },
    });
    requests.length = 0;
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "stopped" });
    const usage = last(await agent.events(), "usage");
    expect(usage).toMatchObject({ estimated: true });
    // The cut falls into the middle of the text.
    expect(usage.outputTokens).toBeGreaterThanOrEqual(500);
    expect(requests).toHaveLength(1);
  });

  test("a third identical call, but not the others of its step", async () => {
    const same = ls(".");
    const write = { call: "write", input: { path: "a.txt", content: "1" } };
    const agent = await withAgent({ says: [[write, same, same, same], [{ text: "never" }]] });
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "stopped", reason: "repetition" });
    const results = (await agent.events()).filter((e) => e.type === "tool-result");
    expect(results.map((e) => [e.toolName, e.status])).toEqual([
      ["write", "ok"],
      ["ls", "ok"],
      ["ls", "ok"],
      ["ls", "interrupted"],
    ]);
    expect(await agent.read("/a.txt")).toBe("1");
  });

  test("a third identical call", async () => {
    const agent = await withAgent({ says: [[ls(".")], [ls(".")], [ls(".")], [{ text: "never" }]] });
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "stopped", reason: "repetition" });
    const results = (await agent.events()).filter((e) => e.type === "tool-result");
    expect(results.map((e) => e.status)).toEqual(["ok", "ok", "interrupted"]);
  });
});
