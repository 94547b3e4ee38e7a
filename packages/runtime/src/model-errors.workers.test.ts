import { modelServerClient, type ScriptPart } from "@tenrec/testkit";
import { describe, expect, inject, test } from "vitest";
import { last, withAgent, type AgentFixture } from "./with-agent.ts";

const server = modelServerClient(inject("modelServerUrl"));

/** An agent whose model is the real provider package, talking HTTP to a server that plays the script. */
async function withServer(name: string, ...says: readonly (readonly ScriptPart[])[]): Promise<AgentFixture> {
  const model = `${name}-${crypto.randomUUID()}`;
  await server.addScript({ model, steps: says.map((say) => ({ say })) });
  return withAgent({
    says: [],
    setup: (agent) => {
      agent.model = `server/${model}@${server.baseURL}`;
    },
  });
}

describe("a real provider over HTTP", () => {
  test("streams text, reasoning and parallel calls, and its usage is recorded", async () => {
    const agent = await withServer(
      "all",
      [
        { reasoning: "think" },
        { text: "Looking." },
        { call: "ls", input: {} },
        { call: "write", input: { path: "a.txt", content: "x" } },
      ],
      [{ text: "Done." }],
    );
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done", text: "Done." });
    expect(await agent.read("/a.txt")).toBe("x");
    const events = await agent.events();
    const step = events.find((e) => e.type === "step-end");
    expect(step?.content.map((part) => part.type)).toEqual(["reasoning", "text", "tool-call", "tool-call"]);
    const usage = last(events, "usage");
    expect(usage.inputTokens).toBeGreaterThan(100);
    expect(usage.cachedInputTokens).toBeGreaterThan(0);
    expect(usage.estimated).toBeUndefined();
  });

  test("arguments cut in mid call are never executed", async () => {
    const agent = await withServer("cut", [
      { call: "write", input: { path: "a.txt", content: "x".repeat(2000) } },
      { cut: true },
    ]);
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "stopped", reason: "failed" });
    await expect(agent.read("/a.txt")).rejects.toMatchObject({ code: "ENOENT" });
    expect((await agent.events()).filter((e) => e.type === "tool-call")).toEqual([]);
  });

  test.each([
    [401, "The key was refused."],
    [404, "Check the model's name"],
  ])("status %i ends the turn at once and says what to check", async (status, hint) => {
    const agent = await withServer(`status-${status}`, [{ error: { status, message: "no" } }]);
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({
      status: "stopped",
      reason: "failed",
      message: expect.stringContaining(hint),
    });
    expect((await agent.events()).filter((e) => e.type === "step-start")).toHaveLength(1);
  });

  test("a server error is tried again", async () => {
    const agent = await withServer("flaky", [{ error: { status: 500, message: "oops", times: 1 } }, { text: "Done." }]);
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done", text: "Done." });
    expect(last(await agent.events(), "step-end").step).toBe(1);
    expect(last(await agent.events(), "error").error).toMatchObject({ code: "model-failed", data: { status: 500 } });
  });

  test("an address where nobody listens is an error that names the model", async () => {
    const agent = await withAgent({
      says: [],
      setup: (a) => {
        a.model = "server/x@http://127.0.0.1:9/v1";
      },
    });
    await agent.submit("go");
    const status = await agent.settle();
    expect(status).toMatchObject({
      status: "stopped",
      reason: "failed",
      message: expect.stringContaining("server/x@"),
    });
    expect(JSON.stringify(status)).not.toMatch(/\bat .*\.(ts|js):/);
  });

  test.each([
    ["anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"],
    ["gpt", "Known forms: anthropic/<name>"],
  ])("model %s that cannot be used says what to do", async (model, hint) => {
    const agent = await withAgent({
      says: [],
      setup: (a) => {
        a.model = model;
      },
    });
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({
      status: "stopped",
      reason: "failed",
      message: expect.stringContaining(hint),
    });
  });
});
