import type { ScriptPart } from "@tenrec/testkit";
import { tool } from "ai";
import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { withTraits } from "./index.ts";
import { last, pause, until, withAgent } from "./with-agent.ts";

const write = { call: "write", input: { path: "a.txt", content: "x" } };

describe("after the object died", () => {
  test("in a model call, the turn goes on when the object wakes, and says that the call was repeated", async () => {
    const agent = await withAgent({ says: [[{ text: "one " }, { delay: 700 }, write], [{ text: "Done." }]] });
    await agent.submit("go");
    await pause(200);
    await abortAllDurableObjects();
    // Any wake will do, such as that of the alarm; nothing is submitted again.
    await agent.settle();
    const events = await agent.events();
    expect(last(events, "turn-end")).toMatchObject({ reason: "done", text: "Done." });
    expect(events.filter((e) => e.type === "step-start").map((e) => [e.step, e.attempt])).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
    ]);
    expect(events.filter((e) => e.type === "usage").map((e) => e.rebilled ?? false)).toEqual([true, false]);
    expect(events.filter((e) => e.type === "file-change")).toHaveLength(1);
  });

  test("in a command, it runs again from the same tree", async () => {
    const command = "echo x >> log.txt; sleep 1; cat log.txt";
    const agent = await withAgent({ says: [[{ call: "bash", input: { command } }], [{ text: "Done." }]] });
    await agent.submit("go");
    await pause(500);
    await abortAllDurableObjects();
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect(await agent.read("/log.txt")).toBe("x\n");
  });

  test("in a tool with effects elsewhere, it does not run again and the model is told", async () => {
    let runs = 0;
    const deploy = tool({
      description: "deploy",
      inputSchema: z.object({}),
      execute: async () => {
        runs += 1;
        await pause(3000);
        return { text: "deployed" };
      },
    });
    const agent = await withAgent({
      says: [[{ call: "deploy", input: {} }], [{ text: "I will check." }]],
      setup: (a) => {
        a.policy = { network: "allow" };
        a.tools = (base) => ({ ...base, deploy: withTraits(deploy, { replay: "unsafe", permission: "network" }) });
      },
    });
    await agent.submit("go");
    await pause(300);
    await abortAllDurableObjects();
    expect(await agent.settle()).toMatchObject({ status: "done", text: "I will check." });
    expect(runs).toBe(1);
    expect(last(await agent.events(), "tool-result")).toMatchObject({ status: "interrupted" });
  });

  test("once the result of such a tool is committed, it does not run again either", async () => {
    let runs = 0;
    const deploy = tool({
      description: "deploy",
      inputSchema: z.object({}),
      execute: () => {
        runs += 1;
        return { text: "deployed" };
      },
    });
    const agent = await withAgent({
      says: [[{ call: "deploy", input: {} }], [{ delay: 400 }, { text: "Done." }]],
      setup: (a) => {
        a.policy = { network: "allow" };
        a.tools = (base) => ({ ...base, deploy: withTraits(deploy, { replay: "unsafe", permission: "network" }) });
      },
    });
    await agent.submit("go");
    await until(async () => (await agent.events()).some((e) => e.type === "tool-result"));
    await agent.inside((a) => a.ctx.storage.sync());
    await abortAllDurableObjects();
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect(runs).toBe(1);
  });

  test("again and again in a turn that gets on, each change is made once", async () => {
    const numbers = [1, 2, 3, 4, 5];
    const add = (n: number): readonly ScriptPart[] => [
      { call: "bash", input: { command: `echo ${n} >> log.txt; sleep 0.15` } },
    ];
    const agent = await withAgent({ says: [...numbers.map(add), [{ text: "Done." }]] });
    await agent.submit("go");
    for (let n = 0; n < 4; n += 1) {
      await pause(100 + n * 61);
      await abortAllDurableObjects();
      await agent.inside(() => {});
    }
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect(await agent.read("/log.txt")).toBe(numbers.map((n) => `${n}\n`).join(""));
  });

  test("an alarm is due soon while a slice runs, and only that of maintenance when it has ended", async () => {
    const agent = await withAgent({ says: [[{ delay: 1500 }, { text: "Done." }]] });
    await agent.submit("go");
    await pause(300);
    const due = await agent.inside((a) => a.ctx.storage.getAlarm());
    expect(due).toBeLessThan(Date.now() + 31_000);
    await agent.settle();
    await pause(300);
    expect(await agent.inside((a) => a.ctx.storage.getAlarm())).toBeGreaterThan(Date.now() + 9 * 60_000);
  });

  test("too often without progress, the turn is given up with a reason", async () => {
    const agent = await withAgent({ says: [[{ call: "bash", input: { command: "sleep 30" } }]] });
    await agent.submit("go");
    for (let n = 0; n < 7; n += 1) {
      await pause(150);
      await abortAllDurableObjects();
      await agent.inside(() => {});
    }
    expect(await agent.settle()).toMatchObject({
      status: "stopped",
      reason: "recovery",
      message: expect.stringContaining("interrupted 6 times in a row"),
    });
    const events = await agent.events();
    expect(events.filter((e) => e.type === "tool-result")).toHaveLength(1);
  });
});
