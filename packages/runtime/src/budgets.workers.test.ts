import type { Budget } from "@tenrec/protocol";
import { scriptedEngine } from "@tenrec/testkit";
import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { requests, type TestAgent } from "../vitest.worker.ts";
import { type AgentFixture, pause, until, withAgent } from "./with-agent.ts";
import { agentOf } from "./with-worker.ts";

const ls = { call: "ls", input: { path: "." } };
const answer = { say: [{ text: "Done." }], usage: { inputTokens: 1_000_000, outputTokens: 0 } };

function capped(budget: Budget): (agent: TestAgent) => void {
  return (agent) => {
    agent.budget = budget;
    agent.prices = { [agent.model]: { input: 3, cachedInput: 0, output: 0 } };
  };
}

/** A turn in a session of its own, to its end. */
async function turnIn(agent: AgentFixture, session: string): Promise<unknown> {
  await agent.inside(async (a) => {
    if (a.sessions.list().every(({ id }) => id !== session)) a.sessions.create({ id: session });
    await a.sessions.submit(session, "go", { operationId: session });
  });
  await until(() => agent.inside((a) => a.sessions.get(session).state === "idle"));
  return agent.inside((a) => a.sessions.status(session, session));
}

async function restart(agent: AgentFixture): Promise<void> {
  await agent.inside((a) => a.ctx.storage.sync());
  await abortAllDurableObjects();
}

describe("a cap of the workspace", () => {
  test.each<[unit: string, caps: NonNullable<Budget["workspace"]>, text: string]>([
    ["money", { usd: 5 }, "Stopped: the workspace has cost $6.0000, its cap is $5. Raise the agent's budget to go on."],
    [
      "tokens",
      { tokens: 1_500_000 },
      "Stopped: the workspace has used 2000000 tokens, its cap is 1500000. Raise the agent's budget to go on.",
    ],
    [
      "steps",
      { steps: 2 },
      "Stopped: the workspace has made 2 model calls, its cap is 2. Raise the agent's budget to go on.",
    ],
  ])("in %s counts all sessions, also after a restart and without those that are gone", async (_unit, caps, text) => {
    let budget: Budget = { workspace: caps };
    const agent = await withAgent({ says: [answer], setup: (a) => capped(budget)(a) });
    expect(await turnIn(agent, "a")).toMatchObject({ status: "done" });
    expect(await turnIn(agent, "b")).toMatchObject({ status: "done" });
    await agent.inside((a) => {
      for (const table of ["events", "operations"]) {
        a.ctx.storage.sql.exec(`DELETE FROM tenrec_${table} WHERE session = 'a'`);
      }
      a.ctx.storage.sql.exec("DELETE FROM tenrec_sessions WHERE id = 'a'");
    });
    await restart(agent);
    expect(await turnIn(agent, "c")).toMatchObject({ status: "stopped", message: text });
    budget = {};
    await restart(agent);
    expect(await turnIn(agent, "d")).toMatchObject({ status: "done" });
    expect(await agent.inside((a) => a.sessions.spent("d"))).toEqual({
      session: { usd: 3, tokens: 1_000_000, steps: 1 },
      workspace: { usd: 9, tokens: 3_000_000, steps: 3 },
    });
  });

  test("is not overshot by sessions that run together, but for the calls under way", async () => {
    const says = [{ say: [{ delay: 100 }, ls], usage: answer.usage }, answer];
    const agent = await withAgent({ says, setup: capped({ workspace: { steps: 4, usd: 100 } }) });
    requests.length = 0;
    const ids = ["a", "b", "c"];
    const ends = await Promise.all(ids.map((id) => turnIn(agent, id)));
    expect(requests).toHaveLength(4);
    expect(ends.filter((end) => (end as { status: string }).status === "done")).toHaveLength(1);
    const inMoney = await withAgent({ says, setup: capped({ workspace: { usd: 3 } }) });
    requests.length = 0;
    await Promise.all(ids.map((id) => turnIn(inMoney, id)));
    expect(requests.length).toBeLessThanOrEqual(ids.length);
  });

  test("stops another engine", async () => {
    const spends = {
      event: {
        type: "usage",
        step: 1,
        model: "m",
        inputTokens: 10,
        cachedInputTokens: 0,
        cacheWriteTokens: 0,
        outputTokens: 0,
        reasoningTokens: 0,
      },
    } as const;
    const does = Array.from({ length: 10 }, () => [spends, { delay: 20 }]).flat();
    const agent = await withAgent({
      says: [],
      setup: (a) => {
        a.engine = scriptedEngine({ name: "robot", turns: [{ does }] });
        a.budget = { workspace: { tokens: 30 } };
      },
    });
    expect(await turnIn(agent, "a")).toMatchObject({ reason: "budget" });
    expect(await agent.inside((a) => a.sessions.spent("a").workspace.tokens)).toBe(30);
    expect(await turnIn(agent, "b")).toMatchObject({ reason: "budget" });
    expect(await agent.inside((a) => a.sessions.spent("a").workspace.tokens)).toBe(30);
  });

  test("counts what a journal has that is older than the count", async () => {
    const agent = await withAgent({ says: [answer], setup: capped({}) });
    await turnIn(agent, "a");
    await agent.inside((a) => {
      a.ctx.storage.sql.exec("DROP TABLE tenrec_spent");
    });
    await restart(agent);
    const spent = { usd: 3, tokens: 1_000_000, steps: 1 };
    expect(await agent.inside((a) => a.sessions.spent("a"))).toEqual({ session: spent, workspace: spent });
  });
});

describe("a cap of the session", () => {
  test("ends its turns, and says what can be done", async () => {
    const agent = await withAgent({ says: [answer, answer], setup: capped({ session: { steps: 1 } }) });
    await agent.submit("go", "a");
    expect(await agent.settle("a")).toMatchObject({ status: "done" });
    await agent.submit("go", "b");
    expect(await agent.settle("b")).toMatchObject({
      reason: "steps",
      message:
        "Stopped: the session has made 1 model calls, its cap is 1. Raise the agent's budget to go on, or begin a new session.",
    });
    expect(await turnIn(agent, "other")).toMatchObject({ status: "done" });
  });
});

describe("a model whose price is not known", () => {
  test("is not called under a cap in dollars that the agent set", async () => {
    const agent = await withAgent({
      says: [answer],
      setup: (a) => {
        a.budget = { session: { usd: 2, tokens: 5 } };
      },
    });
    requests.length = 0;
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({
      reason: "budget",
      message: expect.stringContaining("the cap of $2 for the session cannot be kept, since no price of scripted/"),
    });
    expect(requests).toEqual([]);
    await agent.inside((a) => {
      a.prices = { [a.model]: { input: 0, cachedInput: 0, output: 0 } };
      a.budget = { session: { usd: 2 } };
    });
    await agent.submit("go", "two");
    expect(await agent.settle("two")).toMatchObject({ status: "done" });
  });

  test("is held to the default cap in steps", async () => {
    const agent = await withAgent({ says: [answer] });
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done" });
  });
});

test("a client is told what each scope has spent", async () => {
  const { session } = await agentOf("spends", [
    { say: [ls], usage: answer.usage },
    { say: [{ delay: 400 }, { text: "" }] },
  ]);
  await session.submit("go", { operationId: "one" });
  const spent = { usd: 0, tokens: 1_000_000, steps: 2 };
  await until(async () => (await session.spent()).session.steps === 2);
  expect(await session.spent()).toEqual({ turn: spent, session: spent, workspace: spent });
});

test("a recovery calls the model once more for each kill at most, and flags it, and the caps count every call", async () => {
  const says = [
    { say: [{ text: "one " }, { delay: 500 }, ls], usage: { inputTokens: 10, outputTokens: 5 } },
    { say: [{ text: "two " }, { delay: 500 }, { text: "Done." }], usage: { inputTokens: 10, outputTokens: 5 } },
  ];
  const agent = await withAgent({ says });
  requests.length = 0;
  await agent.submit("go");
  let kills = 0;
  for (const step of [1, 1, 2]) {
    await until(async () => {
      const starts = (await agent.events()).filter((e) => e.type === "step-start");
      return starts.length === kills + step && starts.at(-1)?.step === step;
    });
    // In the middle of the answer.
    await pause(150);
    await abortAllDurableObjects();
    kills += 1;
  }
  expect(await agent.settle()).toMatchObject({ status: "done" });
  const events = await agent.events();
  const usage = events.filter((e) => e.type === "usage");
  expect(usage.map(({ step, rebilled }) => [step, rebilled])).toEqual([
    [1, true],
    [2, true],
  ]);
  expect(requests.length).toBeLessThanOrEqual(usage.length + kills);
  expect(events.filter((e) => e.type === "step-start")).toHaveLength(requests.length);
  expect(await agent.inside((a) => a.sessions.spent("s").workspace.steps)).toBe(requests.length);
});
