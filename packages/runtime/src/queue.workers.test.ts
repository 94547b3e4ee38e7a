import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { requests } from "../vitest.worker.ts";
import { type AgentFixture, pause, until, withAgent } from "./with-agent.ts";

const done = [{ text: "Done." }];
const sleep = { call: "bash", input: { command: "sleep 0.4; echo slept" }, id: "sleeps" };

function submit(agent: AgentFixture, id: string, whenBusy: "followUp" | "steer" | "reject"): Promise<unknown> {
  return agent.inside((a) => a.sessions.submit("s", `prompt ${id}`, { operationId: id, whenBusy }));
}

/** Until a tool call of the turn is under way. */
async function inCall(agent: AgentFixture): Promise<void> {
  await until(async () => (await agent.events()).some((e) => e.type === "step-end"));
  await pause(50);
}

describe("a prompt that steers", () => {
  test("is shown to the model in its next call, behind the results of the calls under way", async () => {
    const agent = await withAgent({ says: [[sleep, { call: "ls", input: {} }], done] });
    requests.length = 0;
    await submit(agent, "one", "followUp");
    await inCall(agent);
    await submit(agent, "two", "steer");
    expect(await agent.settle("two")).toMatchObject({ status: "done", turn: 1 });
    expect(await agent.settle("one")).toMatchObject({ status: "done", turn: 1 });
    const prompts = requests.map((request) => JSON.parse(request) as { prompt: { role: string }[] });
    expect(prompts.map(({ prompt }) => prompt.slice(1).map(({ role }) => role))).toEqual([
      ["user"],
      ["user", "assistant", "tool", "user"],
    ]);
    expect(JSON.stringify(prompts[1]?.prompt.at(-1))).toContain("prompt two");
    const results = (await agent.events()).filter((e) => e.type === "tool-result");
    expect(results.map(({ status }) => status)).toEqual(["ok", "ok"]);
  });

  test("begins a turn when none runs", async () => {
    const agent = await withAgent({ says: [done] });
    await submit(agent, "one", "steer");
    expect(await agent.settle("one")).toMatchObject({ status: "done", turn: 1 });
  });
});

describe("a prompt that rejects", () => {
  test("is refused while a turn waits for a person or another prompt waits, and not stored", async () => {
    const agent = await withAgent({
      says: [[{ call: "ls", input: {} }], done],
      setup: (a) => {
        a.policy = { read: "ask" };
      },
    });
    await submit(agent, "one", "reject");
    expect(await agent.settle("one")).toMatchObject({ status: "waiting" });
    await expect(submit(agent, "two", "reject")).rejects.toMatchObject({ code: "session-busy" });
    expect((await agent.events()).filter((e) => e.type === "input")).toHaveLength(1);
    await expect(agent.inside((a) => a.sessions.status("s", "two"))).rejects.toMatchObject({
      code: "operation-not-found",
    });
  });
});

describe("a prompt that follows up", () => {
  test("can be stopped alone, and the ones around it are answered in their order", async () => {
    const agent = await withAgent({ says: [[sleep], done, done] });
    await submit(agent, "one", "followUp");
    await submit(agent, "two", "followUp");
    await submit(agent, "three", "followUp");
    await inCall(agent);
    expect(await agent.inside((a) => a.sessions.abort("s", "two"))).toBe(true);
    expect(await agent.inside((a) => a.sessions.abort("s", "two"))).toBe(false);
    expect(await agent.settle("two")).toMatchObject({ status: "stopped", reason: "aborted" });
    expect(await agent.settle("one")).toMatchObject({ status: "done", turn: 1 });
    expect(await agent.settle("three")).toMatchObject({ status: "done", turn: 2 });
  });

  test("is begun when the one before it is stopped", async () => {
    const says = [
      { say: [{ delay: 20_000 }, { text: "never" }] },
      { when: { prompt: { includes: "prompt two" } }, say: done },
    ];
    const agent = await withAgent({ says });
    await submit(agent, "one", "followUp");
    await submit(agent, "two", "followUp");
    await until(async () => (await agent.events()).some((e) => e.type === "step-start"));
    await agent.inside((a) => a.sessions.abort("s", "one"));
    expect(await agent.settle("one")).toMatchObject({ status: "stopped", reason: "aborted" });
    expect(await agent.settle("two")).toMatchObject({ status: "done", turn: 2 });
  });

  test("with an id that was used before a restart is the same one", async () => {
    const agent = await withAgent({ says: [done, done] });
    await submit(agent, "one", "followUp");
    await agent.settle("one");
    await agent.inside((a) => a.ctx.storage.sync());
    await abortAllDurableObjects();
    expect(await submit(agent, "one", "followUp")).toMatchObject({ accepted: false });
    const other = agent.inside((a) => a.sessions.submit("s", "something else", { operationId: "one" }));
    await expect(other).rejects.toMatchObject({ code: "operation-conflict" });
    expect((await agent.events()).filter((e) => e.type === "turn-start")).toHaveLength(1);
  });
});
