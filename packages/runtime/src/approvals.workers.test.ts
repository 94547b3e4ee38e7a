import { scriptedExecutor } from "@tenrec/testkit";
import { tool } from "ai";
import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { TestAgent } from "../vitest.worker.ts";
import { withTraits } from "./index.ts";
import { type AgentFixture, jobsOf, last, withAgent } from "./with-agent.ts";

const push = { call: "bash", input: { command: "echo pushed > out.txt" } };

function asking(agent: TestAgent): void {
  agent.policy = { rules: [{ bash: "echo", verdict: "ask" }] };
}

async function parked(agent: AgentFixture): Promise<string> {
  await agent.submit("go");
  const status = await agent.settle();
  if (status.status !== "waiting") throw new Error(`not parked: ${JSON.stringify(status)}`);
  return status.approvalId;
}

function answer(agent: AgentFixture, approvalId: string, approved: boolean, reason?: string): Promise<void> {
  return agent.inside((a) => a.sessions.answer("s", approvalId, { approved, ...(reason ? { reason } : {}) }));
}

/** Ends the instance as a crash would; the next call meets a new one. */
async function restart(agent: AgentFixture): Promise<void> {
  // What is not yet on disk would be lost with it.
  await agent.inside((a) => a.ctx.storage.sync());
  await abortAllDurableObjects();
}

describe("an approval", () => {
  test("parks the turn without a job of its own, and a granted call runs from its start", async () => {
    const agent = await withAgent({ says: [[push], [{ text: "Done." }]], setup: asking });
    const id = await parked(agent);
    expect(await agent.inside((a) => a.sessions.pending("s"))).toMatchObject([
      { approvalId: id, toolName: "bash", permission: "edit", detail: "bash: echo pushed > out.txt" },
    ]);
    expect(await agent.inside((a) => a.sessions.get("s"))).toMatchObject({ state: "waiting" });
    await expect(agent.read("/out.txt")).rejects.toMatchObject({ code: "ENOENT" });
    // The slice that parked may still be on its way out.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await jobsOf(agent)).map(({ fn }) => fn)).toEqual(["maintenance"]);
    await answer(agent, id, true);
    expect(await agent.settle()).toMatchObject({ status: "done", text: "Done." });
    expect(await agent.read("/out.txt")).toBe("pushed\n");
  });

  test("is answered after a restart", async () => {
    const agent = await withAgent({ says: [[push], [{ text: "Done." }]], setup: asking });
    const id = await parked(agent);
    await restart(agent);
    expect(await agent.inside((a) => a.sessions.pending("s"))).toHaveLength(1);
    await answer(agent, id, true);
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect((await agent.events()).filter((e) => e.type === "tool-result")).toHaveLength(1);
  });

  test("that is refused tells the model why, and nothing ran", async () => {
    const agent = await withAgent({ says: [[push], [{ text: "Understood." }]], setup: asking });
    await answer(agent, await parked(agent), false, "not on Fridays");
    expect(await agent.settle()).toMatchObject({ status: "done", text: "Understood." });
    const result = last(await agent.events(), "tool-result");
    expect(result).toMatchObject({ status: "denied", output: { isError: true } });
    expect(result.output.text).toContain("not on Fridays");
    await expect(agent.read("/out.txt")).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("counts once, and an unknown one is an error", async () => {
    const agent = await withAgent({ says: [[push], [{ text: "Done." }]], setup: asking });
    const id = await parked(agent);
    const answers = await Promise.allSettled([answer(agent, id, true), answer(agent, id, false)]);
    expect(answers.map((a) => a.status)).toEqual(["fulfilled", "rejected"]);
    expect(answers[1]).toMatchObject({ reason: { code: "approval-answered" } });
    await agent.settle();
    await expect(answer(agent, id, true)).rejects.toMatchObject({ code: "approval-answered" });
    await expect(answer(agent, "nope", true)).rejects.toMatchObject({ code: "approval-not-found" });
  });

  test("leaves another question of the same step open, and the operation says which one it waits for", async () => {
    const agent = await withAgent({
      says: [
        [
          { call: "ls", input: {} },
          { call: "glob", input: { pattern: "*" } },
        ],
        [{ text: "Done." }],
      ],
      setup: (a) => {
        a.policy = { read: "ask" };
      },
    });
    const id = await parked(agent);
    const pending = await agent.inside((a) => a.sessions.pending("s"));
    expect(pending).toHaveLength(2);
    await answer(agent, id, true);
    const [left] = await agent.inside((a) => a.sessions.pending("s"));
    expect(left?.approvalId).not.toBe(id);
    const waiting = { operationId: "op", status: "waiting", approvalId: left?.approvalId };
    expect(await agent.inside((a) => a.sessions.status("s", "op"))).toEqual(waiting);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await agent.inside((a) => a.sessions.status("s", "op"))).toEqual(waiting);
    await answer(agent, left?.approvalId ?? "", true);
    expect(await agent.settle()).toMatchObject({ status: "done" });
  });

  test("is answered in its own session only, not in another one or a fork", async () => {
    const agent = await withAgent({ says: [[push], [{ text: "Understood." }]], setup: asking });
    const id = await parked(agent);
    await agent.inside(async (a) => {
      for (const { id: other } of [a.sessions.create(), a.sessions.fork("s")]) {
        const answered = a.sessions.answer(other, id, { approved: true });
        await expect(answered).rejects.toMatchObject({ code: "approval-not-found" });
      }
    });
    await answer(agent, id, false);
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect((await agent.events()).filter((e) => e.type === "tool-result")).toMatchObject([{ status: "denied" }]);
  });

  test("of a stopped turn is not waited for any more", async () => {
    const agent = await withAgent({ says: [[push]], setup: asking });
    const id = await parked(agent);
    await agent.inside(async (a) => {
      await a.sessions.abort("s");
      await expect(a.sessions.answer("s", id, { approved: true })).rejects.toMatchObject({ code: "approval-answered" });
    });
    expect(await agent.settle()).toMatchObject({ status: "stopped", reason: "aborted" });
    expect(await agent.inside((a) => a.sessions.pending("s"))).toEqual([]);
  });

  test("is what the default policy wants for a tool that reaches out", async () => {
    let sent = 0;
    const send = tool({
      description: "send",
      inputSchema: z.object({ to: z.string() }),
      execute: ({ to }) => {
        sent += 1;
        return { text: `sent to ${to}` };
      },
    });
    const agent = await withAgent({
      says: [[{ call: "send", input: { to: "x" } }], [{ text: "Done." }]],
      setup: (a) => {
        a.tools = (base) => ({ ...base, send: withTraits(send, { replay: "unsafe", permission: "network" }) });
      },
    });
    const id = await parked(agent);
    expect(sent).toBe(0);
    await answer(agent, id, true);
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect(sent).toBe(1);
    expect((await agent.events()).filter((e) => e.type === "effect")).toHaveLength(1);
  });

  test("comes too late in the middle of a tool with effects elsewhere: it runs on, once, and hears that it may not", async () => {
    let runs = 0;
    const executor = scriptedExecutor({ name: "box", commands: [{ when: "npm deploy", does: [] }] });
    const agent = await withAgent({
      says: [[{ call: "deploy", input: {} }], [{ text: "Done." }]],
      setup: (a) => {
        a.policy = { execute: "ask", network: "allow" };
        a.executors = [executor];
        a.tools = (base) => {
          const deploy = tool({
            description: "deploy",
            inputSchema: z.object({}),
            execute: async (_input, options) => {
              const output: unknown = await base["bash"]?.execute?.({ command: "npm deploy" }, options);
              runs += 1;
              return output;
            },
          });
          return { ...base, deploy: withTraits(deploy, { replay: "unsafe", permission: "network" }) };
        };
      },
    });
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect(runs).toBe(1);
    expect(executor.started).toEqual([]);
    expect(last(await agent.events(), "tool-result").output.text).toContain("make it a call of its own");
  });

  test("is not asked for what the policy denies", async () => {
    const agent = await withAgent({
      says: [[push], [{ text: "Understood." }]],
      setup: (a) => {
        a.policy = { edit: "deny" };
      },
    });
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect(last(await agent.events(), "tool-result").output.text).toContain("Not permitted (edit)");
  });
});

test("a tool for which a person answers always waits, whatever the policy allows", async () => {
  let runs = 0;
  const pay = tool({
    description: "pay",
    inputSchema: z.object({}),
    execute: () => {
      runs += 1;
      return { text: "paid" };
    },
  });
  const agent = await withAgent({
    says: [[{ call: "pay", input: {} }], [{ text: "Done." }]],
    setup: (a) => {
      a.policy = { network: "allow" };
      a.tools = (base) => ({ ...base, pay: withTraits(pay, { replay: "human", permission: "network" }) });
    },
  });
  const id = await parked(agent);
  expect(runs).toBe(0);
  await answer(agent, id, true);
  expect(await agent.settle()).toMatchObject({ status: "done" });
  expect(runs).toBe(1);
});
