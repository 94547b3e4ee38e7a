import { tool } from "ai";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { Driver } from "./driver.ts";
import { withTraits } from "./index.ts";
import { Sessions } from "./sessions.ts";
import { systemClock } from "./system-clock.ts";
import { type AgentFixture, pause, until, withAgent } from "./with-agent.ts";
import { scripts, type TestAgent } from "../vitest.worker.ts";

const says = [[{ text: "Done." }]];

/** Makes the database refuse events of one kind, as a full one does, until the returned function is called. */
function refuse(agent: TestAgent, session: string, ...types: string[]): () => void {
  const { sql } = agent.ctx.storage;
  const kinds = types.map((type) => `NEW.body LIKE '{"type":"${type}"%'`).join(" OR ");
  sql.exec(`CREATE TRIGGER refuse BEFORE INSERT ON tenrec_events WHEN NEW.session = '${session}' AND (${kinds})
    BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`);
  return () => void sql.exec("DROP TRIGGER refuse");
}

describe("a turn that cannot begin", () => {
  test("because the agent's own fields throw ends with the reason", async () => {
    let reads = 0;
    let armed = false;
    const agent = await withAgent({
      says,
      setup: (a) => {
        const { model } = a;
        Object.defineProperty(a, "model", {
          get() {
            if (!armed) return model;
            reads += 1;
            throw new Error("MODEL is not set");
          },
        });
      },
    });
    armed = true;
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({
      status: "stopped",
      reason: "failed",
      message: expect.stringContaining("MODEL is not set"),
    });
    expect(reads).toBeLessThan(20);
  });

  test("because the storage refuses it is not tried without end, and goes on with the next prompt", async () => {
    const agent = await withAgent({ says: [...says, ...says] });
    let tries = 0;
    let allow = (): void => {};
    await agent.inside((a) => {
      allow = refuse(a, "s", "turn-start");
      const { journal } = a.workspace;
      const append = journal.append.bind(journal);
      vi.spyOn(journal, "append").mockImplementation((session, bodies) => {
        tries += 1;
        // Ends a loop that would hold the isolate, and with it this test.
        if (tries === 100) allow();
        return append(session, bodies);
      });
    });
    await agent.submit("go", "a");
    await until(() => tries > 0);
    await pause(300);
    expect(tries).toBeLessThan(20);
    expect(await agent.inside((a) => a.sessions.status("s", "a"))).toMatchObject({ status: "queued" });
    await agent.inside(allow);
    await agent.submit("again", "b");
    expect(await agent.settle("b")).toMatchObject({ status: "done", turn: 2 });
  });
});

test("a failure that cannot be recorded takes no other session with it", async () => {
  const agent = await withAgent({ says: [...says, ...says] });
  scripts.set("other", { model: "other", steps: [{ say: [{ delay: 300 }, { text: "Other." }] }] });
  let allow = (): void => {};
  await agent.inside(async (a) => {
    a.sessions.create({ id: "t" });
    a.sessions.change("t", { model: "scripted/other" });
    allow = refuse(a, "s", "step-start", "turn-end");
    await a.sessions.submit("t", "other", { operationId: "op-t" });
    await a.sessions.submit("s", "go", { operationId: "op" });
  });
  await until(async () => (await agent.inside((a) => a.sessions.status("t", "op-t"))).status === "done");
  expect(await agent.inside((a) => a.sessions.status("s", "op"))).toMatchObject({ status: "running" });
  // It is tried again by itself.
  const due = await agent.inside((a) => a.ctx.storage.getAlarm());
  expect(due).toBeGreaterThan(Date.now());
  expect(due).toBeLessThan(Date.now() + 31_000);
  await agent.inside(allow);
  await agent.submit("go on", "next");
  expect(await agent.settle("next")).toMatchObject({ status: "done" });
});

describe("when a slice is used up, but a long action of one session keeps it open", () => {
  interface Stage {
    readonly sessions: Sessions;
    readonly slice: Promise<unknown>;
    /** Moves the slice's age to five minutes. */
    age(): void;
    /** Lets long actions end. */
    release(): void;
  }

  /** A driver with a clock of its own; both sessions have long actions that are released together. */
  async function runBesideLongAction(
    steps: readonly string[],
    run: (agent: TestAgent, stage: Stage) => Promise<void>,
  ): Promise<void> {
    const released = Promise.withResolvers<void>();
    const long = tool({
      description: "takes long",
      inputSchema: z.object({}),
      execute: async () => {
        await released.promise;
        return { text: "x" };
      },
    });
    const agent: AgentFixture = await withAgent({
      says: [[{ call: "long", input: {} }], [{ text: "Done." }]],
      setup: (a) => {
        a.tools = (base) => ({ ...base, long: withTraits(long, { replay: "pure", permission: "read" }) });
      },
    });
    const script = `guest-${crypto.randomUUID()}`;
    const say = steps.map((step) => (step === "long" ? { call: "long", input: {} } : { text: step }));
    scripts.set(script, { model: script, steps: [{ say }] });
    await agent.inside(async (a) => {
      a.sessions.create({ id: "t" });
      a.sessions.change("t", { model: `scripted/${script}` });
      let ahead = 0;
      const clock = { now: () => systemClock.now() + ahead, sleep: systemClock.sleep };
      const workspace = { ...a.workspace, clock };
      const driver = new Driver(workspace);
      const sessions = new Sessions(workspace, {
        schedule: async (session) => void driver.wake(session),
        interrupt: (session, reason) => driver.interrupt(session, reason),
        isWorking: (session) => driver.isWorking(session),
        planMaintenance: async () => {},
      });
      await sessions.submit("s", "go", { operationId: "op" });
      const slice = driver.slice();
      await until(() => a.workspace.journal.state("s").turn?.stepOpen === false);
      const age = (): void => {
        ahead = 5 * 60_000;
      };
      await run(a, { sessions, slice, age, release: released.resolve });
      expect(sessions.status("s", "op")).toMatchObject({ status: "running" });
      released.resolve();
      await slice;
    });
  }

  test("another session's prompt is answered meanwhile", async () => {
    await runBesideLongAction(["Quick."], async (_agent, { sessions, age }) => {
      age();
      await sessions.submit("t", "quick", { operationId: "q" });
      await until(() => sessions.status("t", "q").status === "done", 1500);
    });
  });

  test("another session is stopped at once", async () => {
    await runBesideLongAction(["long"], async (agent, { sessions, age }) => {
      await sessions.submit("t", "go", { operationId: "q" });
      await until(() => agent.workspace.journal.state("t").turn?.calls.length === 1);
      age();
      await sessions.abort("t");
      await until(() => sessions.status("t", "q").status === "stopped", 1500);
    });
  });
});
