import type { SessionEvent } from "agents/experimental/channels";
import { describe, expect, test } from "vitest";
import { until, withAgent } from "../with-agent.ts";
import { asAgentHarness } from "./as-agent-harness.ts";

const says = [[{ reasoning: "hm" }, { text: "Listing." }, { call: "ls", input: {} }], [{ text: "Done." }]];
const hello = { parts: [{ type: "text", text: "hello" }] } as const;

describe("an agent as an AgentHarness", () => {
  test("submits once, waits, and shows the transcript", async () => {
    const agent = await withAgent({ says });
    await agent.inside(async (a) => {
      const session = asAgentHarness(a).session();
      expect(await session.submit(hello, { operationId: "one" })).toEqual({
        session: "default",
        operationId: "one",
        accepted: true,
      });
      expect(await session.submit(hello, { operationId: "one" })).toMatchObject({ accepted: false });
      expect(await session.wait("one")).toEqual({
        operationId: "one",
        session: "default",
        status: "done",
        text: "Done.",
      });
      const watch = await session.watch();
      const { state } = watch;
      expect(state.pending).toEqual([]);
      expect(state.messages).toMatchObject([
        { id: "one", role: "user", parts: [{ type: "text", text: "hello" }] },
        {
          role: "assistant",
          parts: [
            { type: "reasoning", text: "hm" },
            { type: "text", text: "Listing." },
            { type: "tool", toolName: "ls", state: "output-available" },
            { type: "text", text: "Done." },
          ],
        },
      ]);
      await watch.stop();
      await watch.closed;
    });
  });

  test("a watch sees the run in order, each text beginning and ending once", async () => {
    const agent = await withAgent({ says });
    await agent.inside(async (a) => {
      const session = asAgentHarness(a).session();
      const watch = await session.watch();
      const seen: SessionEvent[] = [];
      watch.start(async (events) => {
        seen.push(...events);
      });
      await session.submit(hello, { operationId: "one" });
      await session.wait("one");
      await watch.stop();
      const names = seen.map((e) =>
        e.type === "chunk" ? e.chunk.type : e.type === "operation" ? e.status.status : e.type,
      );
      const squeezed = names.filter((name, i) => !(name.endsWith("-delta") && names[i - 1] === name));
      expect(squeezed).toEqual([
        "message",
        "queued",
        "run-start",
        "placed",
        "reasoning-start",
        "reasoning-delta",
        "text-start",
        "text-delta",
        "tool-input-available",
        "reasoning-end",
        "text-end",
        "tool-output-available",
        "text-start",
        "text-delta",
        "text-end",
        "message",
        "done",
        "run-end",
      ]);
    });
  });

  test("a watch that begins in the middle of a run hears how it ends", async () => {
    const agent = await withAgent({ says: [[{ delay: 250 }, { text: "Done." }]] });
    await agent.submit("go");
    await until(async () => (await agent.events()).some((e) => e.type === "step-start"));
    const heard = await agent.inside(async (a) => {
      const watch = await asAgentHarness(a).session("s").watch();
      const events: SessionEvent[] = [];
      watch.start(async (some) => {
        events.push(...some);
      });
      await until(() => a.sessions.status("s", "op").status === "done");
      await watch.stop();
      return events;
    });
    expect(heard).toContainEqual({ type: "run-end", operations: ["op"] });
    expect(heard).toContainEqual({ type: "operation", status: { operationId: "op", status: "done", text: "Done." } });
  });

  test("creates, forks, lists and resets sessions, and answers approvals", async () => {
    const agent = await withAgent({
      says: [[{ call: "bash", input: { command: "echo x" } }], [{ text: "Done." }]],
      setup: (a) => {
        a.policy = { edit: "ask" };
      },
    });
    await agent.inside(async (a) => {
      const harness = asAgentHarness(a);
      const session = await harness.sessions.create();
      await session.submit(hello, { operationId: "one" });
      let [pending] = a.sessions.pending(session.id);
      for (let tries = 0; !pending && tries < 100; tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        [pending] = a.sessions.pending(session.id);
      }
      await session.submit({ type: "approval", approvalId: pending?.approvalId ?? "", approved: true });
      expect(await session.wait("one")).toMatchObject({ status: "done" });
      const fork = await harness.sessions.fork(session.id);
      expect(await harness.sessions.list()).toContainEqual({ id: fork.id, parent: session.id, busy: false });
      await fork.reset("Start here.");
      expect((await fork.watch()).state.messages).toMatchObject([{ role: "user", parts: [{ text: "Start here." }] }]);
      await expect(
        session.submit({ type: "tool-result", toolCallId: "x", result: { ok: true, output: 1 } }),
      ).rejects.toMatchObject({ code: "unsupported" });
    });
  });

  test("a watch hears of an undo as a transcript that begins anew, and of a deletion as its end", async () => {
    const agent = await withAgent({ says });
    await agent.inside(async (a) => {
      const session = asAgentHarness(a).session();
      for (const operationId of ["one", "two"]) {
        await session.submit(hello, { operationId });
        await session.wait(operationId);
      }
      const watch = await session.watch();
      const seen: SessionEvent[] = [];
      watch.start(async (events) => {
        seen.push(...events);
      });
      await a.sessions.undo(session.id, { turn: 2 });
      const left = (await session.watch()).state.messages;
      expect(left.map(({ id }) => id)).toEqual(["one", "turn-1"]);
      await a.sessions.delete(session.id);
      await watch.closed;
      await watch.stop();
      expect(seen).toEqual([{ type: "reset" }, ...left.map((message) => ({ type: "message", message }))]);
    });
  });
});
