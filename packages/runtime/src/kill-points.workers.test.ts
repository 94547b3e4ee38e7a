import type { DurableEvent } from "@tenrec/protocol";
import type { ScriptPart } from "@tenrec/testkit";
import type { CodingTools } from "@tenrec/tools";
import { tool } from "ai";
import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { withTraits } from "./index.ts";
import { type AgentFixture, last, pause, until, withAgent } from "./with-agent.ts";
import { counted, type KillPoint, killAt, settleThroughKills } from "./with-kill.ts";
import { requests } from "../vitest.worker.ts";

const done: readonly ScriptPart[] = [{ text: "Done." }];

function attempts(events: readonly DurableEvent[]): [number, number][] {
  return events.flatMap((e) => (e.type === "step-start" ? [[e.step, e.attempt] as [number, number]] : []));
}

interface Killed {
  readonly agent: AgentFixture;
  readonly events: readonly DurableEvent[];
}

/** Plays a turn in which the object dies at a point, and makes sure that it did. */
async function killed(
  point: KillPoint,
  says: readonly (readonly ScriptPart[])[],
  tools?: (base: CodingTools) => CodingTools,
): Promise<Killed> {
  const kill = killAt(point);
  let isArmed = false;
  const agent = await withAgent({
    says,
    setup: (a) => {
      if (tools) a.tools = tools;
      if (isArmed) kill.arm(a);
    },
  });
  isArmed = true;
  await agent.inside(kill.arm);
  // No answer means that nothing is known: a client sends it again, under the same id.
  await agent.submit("go").catch(() => agent.submit("go"));
  expect(await settleThroughKills(agent)).toMatchObject({ status: "done" });
  expect(kill.hasFired).toBe(true);
  return { agent, events: await agent.events() };
}

describe("the object dies", () => {
  test("K1 before a prompt is stored: it is sent again and answered once", async () => {
    const { events } = await killed({ at: "input", when: "before" }, [done]);
    expect(events.filter((e) => e.type === "input" || e.type === "turn-start")).toHaveLength(2);
  });

  test("K2 once a prompt is stored: any wake begins its turn, without the client", async () => {
    const kill = killAt({ at: "input", when: "after" });
    const agent = await withAgent({ says: [done] });
    await agent.inside(kill.arm);
    await agent.submit("go").catch(() => {});
    await pause(100);
    expect(kill.hasFired).toBe(true);
    expect(await settleThroughKills(agent)).toMatchObject({ status: "done" });
    expect((await agent.events()).filter((e) => e.type === "turn-start")).toHaveLength(1);
  });

  test("K3 before the intent to call the model is stored: it is the first attempt", async () => {
    const { events } = await killed({ at: "step-start", when: "before" }, [done]);
    expect(attempts(events)).toEqual([[1, 1]]);
  });

  test("K3 once the intent to call the model is stored: it is another attempt", async () => {
    const { events } = await killed({ at: "step-start", when: "after" }, [[{ delay: 300 }, ...done]]);
    expect(attempts(events)).toEqual([
      [1, 1],
      [1, 2],
    ]);
  });

  test("K4 before the first word of an answer: one call is made again, and flagged", async () => {
    const agent = await withAgent({ says: [[{ delay: 600 }, ...done]] });
    const before = requests.length;
    await agent.submit("go");
    await until(() => requests.length > before);
    await abortAllDurableObjects();
    expect(await settleThroughKills(agent)).toMatchObject({ status: "done" });
    expect(requests.length - before).toBe(2);
    expect(last(await agent.events(), "usage")).toMatchObject({ rebilled: true });
  });

  test("K6 in the arguments of a call: it runs once, with all of them", async () => {
    const runs: string[] = [];
    const content = "a long text ".repeat(40);
    const call = { call: "save", input: { content } };
    const agent = await withAgent({
      says: [{ say: [call, { delay: 500 }] }, { say: done }],
      setup: (a) => {
        a.tools = (base) => {
          const save = tool({
            description: "save",
            inputSchema: z.object({ content: z.string() }),
            execute: (input) => {
              runs.push(input.content);
              return { text: "saved" };
            },
          });
          return { ...base, save: withTraits(save, { replay: "unsafe", permission: "edit" }) };
        };
      },
    });
    await agent.submit("go");
    await until(() => agent.inside((a) => a.workspace.deltas.open("s").some((d) => d.type === "tool-input-delta")));
    expect(runs).toEqual([]);
    await abortAllDurableObjects();
    expect(await settleThroughKills(agent)).toMatchObject({ status: "done" });
    expect(runs).toEqual([content]);
  });

  test.each(["before", "after"] as const)("K7, K8 %s a step is stored: its call runs once", async (when) => {
    const runs: string[] = [];
    const { events } = await killed(
      { at: "step-end", when },
      [[{ delay: 50 }, { call: "deploy", input: {} }], done],
      (base) => ({
        ...base,
        deploy: withTraits(
          counted(runs, "deploy", () => pause(300)),
          { replay: "unsafe", permission: "edit" },
        ),
      }),
    );
    // Once it is stored the tool may have begun: then it is not run again, and the model is told.
    expect(runs).toHaveLength(1);
    expect(events.filter((e) => e.type === "tool-result")).toHaveLength(1);
    expect(attempts(events).filter(([step]) => step === 1)).toHaveLength(when === "before" ? 2 : 1);
  });

  test.each(["before", "after"] as const)("K9, K10 %s a result is stored: its change is made once", async (when) => {
    const { agent, events } = await killed({ at: "tool-result", when }, [
      [{ call: "bash", input: { command: "echo x >> log.txt" } }],
      done,
    ]);
    expect(await agent.read("/log.txt")).toBe("x\n");
    expect(events.filter((e) => e.type === "file-change" || e.type === "tool-result")).toHaveLength(2);
  });

  test("K11 when two of three calls have their results: only the third runs again", async () => {
    const runs: string[] = [];
    const names = ["one", "two", "three"];
    const agent = await withAgent({
      says: [names.map((call) => ({ call, input: {} })), done],
      setup: (a) => {
        const traits = { replay: "pure", permission: "read" } as const;
        a.tools = (base) => ({
          ...base,
          ...Object.fromEntries(
            names.map((name) => [
              name,
              withTraits(
                counted(runs, name, () => pause(name === "three" ? 800 : 0)),
                traits,
              ),
            ]),
          ),
        });
      },
    });
    await agent.submit("go");
    await until(async () => (await agent.events()).filter((e) => e.type === "tool-result").length === 2);
    await agent.inside((a) => a.ctx.storage.sync());
    await abortAllDurableObjects();
    expect(await settleThroughKills(agent)).toMatchObject({ status: "done" });
    expect(runs.toSorted()).toEqual(["one", "three", "three", "two"]);
  });

  test.each(["before", "after"] as const)(
    "K12, K13 %s a change of many files is stored: all of it or nothing",
    async (when) => {
      const command = "for n in 1 2 3 4 5; do echo $n > dir/$n.txt; done; mv dir moved; rm moved/3.txt";
      const { agent, events } = await killed({ at: "tool-result", when }, [
        [{ call: "bash", input: { command: `mkdir -p dir; ${command}` } }],
        done,
      ]);
      const paths = await agent.inside(({ workspace: { trees } }) =>
        trees.manifest(trees.head("main")).flatMap((entry) => (entry.kind === "file" ? [entry.path] : [])),
      );
      expect(paths).toEqual(["/moved/1.txt", "/moved/2.txt", "/moved/4.txt", "/moved/5.txt"]);
      expect(events.filter((e) => e.type === "file-change")).toHaveLength(4);
    },
  );

  test.each(["before", "after"] as const)(
    "K20 %s the end of a turn is stored: it ends once, and the alarm goes on",
    async (when) => {
      const { agent, events } = await killed({ at: "turn-end", when }, [done, done]);
      expect(events.filter((e) => e.type === "turn-end")).toHaveLength(1);
      await agent.submit("again", "next");
      expect(await settleThroughKills(agent, "next")).toMatchObject({ status: "done" });
    },
  );

  test.each(["before", "after"] as const)(
    "K21 %s an answer is stored: it counts once, and the call runs once",
    async (when) => {
      const runs: string[] = [];
      const kill = killAt({ at: "approval-answer", when });
      const agent = await withAgent({
        says: [[{ call: "deploy", input: {} }], done],
        setup: (a) => {
          const deploy = withTraits(counted(runs, "deploy"), { replay: "unsafe", permission: "network" });
          a.tools = (base) => ({ ...base, deploy });
        },
      });
      await agent.submit("go");
      const waiting = await settleThroughKills(agent);
      if (waiting.status !== "waiting") throw new Error("not parked");
      const answer = (): Promise<void> =>
        agent.inside((a) => a.sessions.answer("s", waiting.approvalId, { approved: true }));
      await agent.inside(kill.arm);
      await answer().catch(() => {});
      await pause(100);
      expect(kill.hasFired).toBe(true);
      // The answer to the answer was lost, so it is given again.
      const again = await answer().then(
        () => "counted",
        (error: unknown) => (error as { code?: string }).code,
      );
      expect(again).toBe(when === "before" ? "counted" : "approval-answered");
      expect(await settleThroughKills(agent)).toMatchObject({ status: "done" });
      expect(runs).toEqual(["deploy"]);
    },
  );

  test("K26 in a crash loop: the turn is given up with its reason, at a bounded cost", async () => {
    let kills = 0;
    const before = requests.length;
    const agent = await withAgent({
      says: [[{ call: "trap", input: {} }], done],
      setup: (a) => {
        const trap = counted([], "trap", async () => {
          // It would go on for ever, if it were let.
          if (kills >= 50) return;
          kills += 1;
          await a.ctx.storage.sync();
          a.ctx.abort("out of memory");
          await new Promise(() => {});
        });
        a.tools = (base) => ({ ...base, trap: withTraits(trap, { replay: "pure", permission: "read" }) });
      },
    });
    await agent.submit("go");
    expect(await settleThroughKills(agent)).toMatchObject({ status: "stopped", reason: "recovery" });
    expect(kills).toBe(6);
    expect(requests.length - before).toBe(1);
  });
});
