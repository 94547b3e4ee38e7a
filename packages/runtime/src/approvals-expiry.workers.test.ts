import type { Clock } from "@tenrec/protocol";
import { abortAllDurableObjects, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { TestAgent } from "../vitest.worker.ts";
import { systemClock } from "./system-clock.ts";
import { type AgentFixture, jobsOf, last, pause, until, withAgent } from "./with-agent.ts";

const push = { call: "bash", input: { command: "echo pushed >> out.txt" } };
const says = [[push], [{ text: "Done." }]];
const DAY = 24 * 60 * 60_000;

/** Time as the test sets it; the platform's clock would never go back for the tests after this one. */
const clock: Clock = { ...systemClock, now: () => Date.now() };

function asking(agent: TestAgent): void {
  agent.policy = { rules: [{ bash: "echo", verdict: "ask" }] };
}

function expiring(ms: number): (agent: TestAgent) => void {
  return (agent) => {
    asking(agent);
    agent.approvalExpiry = ms;
  };
}

async function parked(agent: AgentFixture): Promise<string> {
  await agent.submit("go");
  const status = await agent.settle();
  if (status.status !== "waiting") throw new Error(`not parked: ${JSON.stringify(status)}`);
  return status.approvalId;
}

function answer(agent: AgentFixture, id: string, approved: boolean): Promise<void> {
  return agent.inside((a) => a.sessions.answer("s", id, { approved }));
}

async function restart(agent: AgentFixture): Promise<void> {
  await agent.inside((a) => a.ctx.storage.sync());
  await abortAllDurableObjects();
}

/** From now on it is so much later, for everything in this isolate. */
function later(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

/** Runs what is due at the time that the test says it is. */
function runAlarm(agent: AgentFixture): Promise<boolean> {
  return runDurableObjectAlarm(env.TestAgent.getByName(agent.name));
}

function answers(agent: AgentFixture): Promise<unknown[]> {
  return agent.inside((a) =>
    a.sessions.history("s").flatMap((e) => (e.type === "approval-answer" ? [[e.by, e.approved]] : [])),
  );
}

afterEach(() => void vi.useRealTimers());

describe("a question without an expiry", () => {
  test("waits for days and a restart at no cost, and then runs the call once", async () => {
    const agent = await withAgent({ says, clock, setup: asking });
    const id = await parked(agent);
    await pause(100);
    expect((await jobsOf(agent)).map(({ fn }) => fn)).toEqual(["maintenance"]);
    later(9 * DAY);
    await restart(agent);
    await runAlarm(agent);
    expect(await jobsOf(agent)).toEqual([]);
    expect(await agent.inside((a) => a.sessions.pending("s"))).toHaveLength(1);
    await answer(agent, id, true);
    await runAlarm(agent);
    expect(await agent.settle()).toMatchObject({ status: "done", text: "Done." });
    expect(await agent.read("/out.txt")).toBe("pushed\n");
  });
});

describe("a question with an expiry", () => {
  test("is refused by its alarm, once, without any client, and the model is told", async () => {
    const agent = await withAgent({ says, clock, setup: expiring(400) });
    await parked(agent);
    const [waiting] = await agent.inside((a) => a.sessions.pending("s"));
    const asked = last(await agent.events(), "approval-request");
    // It is asked a moment before it is written.
    expect(asked.expiresAt).toBeLessThanOrEqual(asked.at + 400);
    expect(asked.expiresAt).toBeGreaterThan(asked.at);
    expect(waiting).toMatchObject({ expiresAt: asked.expiresAt, inputHash: asked.inputHash });
    await until(async () => (await answers(agent)).length > 0);
    expect(await agent.settle()).toMatchObject({ status: "done", text: "Done." });
    expect(await answers(agent)).toEqual([["expiry", false]]);
    const result = last(await agent.events(), "tool-result");
    expect(result).toMatchObject({ status: "denied", output: { isError: true } });
    expect(result.output.text).toContain("nobody allowed this call of bash in time");
    await expect(agent.read("/out.txt")).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("has one alarm with all others, for the earliest, which survives a restart", async () => {
    const agent = await withAgent({ says, clock, setup: expiring(3 * DAY) });
    const times = async (): Promise<number[]> =>
      (await jobsOf(agent)).flatMap(({ fn, time }) => (fn === "expiry" ? [time] : []));
    await parked(agent);
    const late = last(await agent.events(), "approval-request").expiresAt;
    await until(async () => (await times()).join() === String(late));
    await agent.inside(async (a) => {
      a.approvalExpiry = DAY;
      a.sessions.create({ id: "t" });
      await a.sessions.submit("t", "go", { operationId: "t" });
    });
    await until(() => agent.inside((a) => a.sessions.pending("t").length > 0));
    const soon = last(await agent.inside((a) => a.sessions.history("t")), "approval-request").expiresAt;
    await until(async () => (await times()).join() === String(soon));
    await restart(agent);
    expect(await times()).toEqual([soon]);
    later(DAY + 1000);
    await until(async () => {
      await runAlarm(agent);
      return (await agent.inside((a) => a.sessions.status("t", "t"))).status === "done";
    });
    expect(await agent.inside((a) => a.sessions.pending("s"))).toHaveLength(1);
    expect(await times()).toEqual([late]);
    later(2 * DAY);
    await until(async () => {
      await runAlarm(agent);
      return (await agent.inside((a) => a.sessions.status("s", "op"))).status === "done";
    });
    expect(await answers(agent)).toEqual([["expiry", false]]);
    await until(async () => (await times()).length === 0);
  });

  test("that is answered in time leaves no alarm behind", async () => {
    const agent = await withAgent({ says, clock, setup: expiring(DAY) });
    const id = await parked(agent);
    await until(async () => (await jobsOf(agent)).some(({ fn }) => fn === "expiry"));
    await answer(agent, id, true);
    expect(await agent.settle()).toMatchObject({ status: "done" });
    await until(async () => (await jobsOf(agent)).every(({ fn }) => fn === "maintenance"));
    expect(await answers(agent)).toEqual([["person", true]]);
  });

  test("refuses an answer that comes after it, also before its alarm has run, and the turn goes on", async () => {
    const agent = await withAgent({ says, clock, setup: expiring(DAY) });
    const id = await parked(agent);
    await until(async () => (await jobsOf(agent)).some(({ fn }) => fn === "expiry"));
    later(DAY + 1);
    const [first, second] = await Promise.allSettled([answer(agent, id, true), answer(agent, id, true)]);
    expect(first).toMatchObject({ reason: { code: "approval-answered" } });
    expect(second).toMatchObject({ reason: { code: "approval-answered" } });
    await until(async () => {
      await runAlarm(agent);
      return (await agent.events()).some((e) => e.type === "turn-end");
    });
    expect(await answers(agent)).toEqual([["expiry", false]]);
    await expect(agent.read("/out.txt")).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("the arguments of a call", () => {
  test("that an answer names must be those that are asked about", async () => {
    const agent = await withAgent({ says, clock, setup: asking });
    const approvalId = await parked(agent);
    const [waiting] = await agent.inside((a) => a.sessions.pending("s"));
    const answerTo = (inputHash: string): Promise<void> =>
      agent.inside((a) => a.sessions.answer("s", approvalId, { approved: true, inputHash }));
    await expect(answerTo("0".repeat(64))).rejects.toMatchObject({ code: "approval-mismatch" });
    expect(await agent.inside((a) => a.sessions.pending("s"))).toHaveLength(1);
    await answerTo(waiting?.inputHash ?? "");
    expect(await agent.settle()).toMatchObject({ status: "done" });
  });

  test("that were changed after the question was answered are asked about anew, and do not run", async () => {
    const agent = await withAgent({ says, clock, setup: asking });
    const id = await parked(agent);
    await agent.inside((a) => {
      // As if somebody had changed what is stored.
      a.ctx.storage.sql.exec(
        "UPDATE tenrec_events SET body = replace(body, 'pushed', 'worse') WHERE body LIKE '%tool-call%'",
      );
    });
    await restart(agent);
    await answer(agent, id, true);
    await until(async () => (await agent.inside((a) => a.sessions.pending("s"))).some((p) => p.approvalId !== id));
    const [again] = await agent.inside((a) => a.sessions.pending("s"));
    expect(again?.detail).toContain("worse");
    expect((await agent.events()).filter((e) => e.type === "tool-result")).toEqual([]);
    await answer(agent, again?.approvalId ?? "", false);
    expect(await agent.settle()).toMatchObject({ status: "done" });
    await expect(agent.read("/out.txt")).rejects.toMatchObject({ code: "ENOENT" });
  });
});
