import type { CodingEngine, DurableEvent } from "@tenrec/protocol";
import { type EngineScript, scriptedEngine } from "@tenrec/testkit";
import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { toModelMessages } from "./messages.ts";
import { type AgentFixture, last, pause, until, withAgent } from "./with-agent.ts";

const text = (content: string): EngineScript["turns"][number]["does"][number] => ({
  event: {
    type: "step-end",
    step: 1,
    content: [{ type: "text", text: content }],
    finishReason: "stop",
    durationMs: 1,
  },
});

function withEngine(engine: CodingEngine): Promise<AgentFixture> {
  return withAgent({
    says: [],
    setup: (a) => {
      a.engine = engine;
    },
  });
}

/** Calls and results, as a model would be shown them. */
function shown(events: readonly DurableEvent[]): { calls: string[]; results: string[] } {
  const parts = toModelMessages(events, { mediaInResults: false }).flatMap(
    ({ content }): { type: string; toolCallId?: string }[] => (typeof content === "string" ? [] : [...content]),
  );
  const ids = (type: string): string[] =>
    parts.flatMap((part) => (part.type === type && part.toolCallId ? [part.toolCallId] : []));
  return { calls: ids("tool-call"), results: ids("tool-result") };
}

describe("another engine", () => {
  test("works on the same tree and the same journal", async () => {
    const engine = scriptedEngine({
      name: "robot",
      turns: [
        {
          does: [
            { event: { type: "text-delta", step: 1, id: "0", text: "On it." } },
            { write: "/a.txt", content: "1" },
            { commit: true },
            { write: "/b.txt", content: "2" },
            text("Done."),
          ],
        },
      ],
    });
    const agent = await withEngine(engine);
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done", text: "Done." });
    expect([await agent.read("/a.txt"), await agent.read("/b.txt")]).toEqual(["1", "2"]);
    const events = await agent.events();
    expect(last(events, "turn-start")).toMatchObject({ engine: "robot" });
    expect(events.map((e) => e.type)).toEqual(["input", "turn-start", "step-end", "turn-end"]);
  });

  test("that fails ends the turn with its reason, keeping what it committed", async () => {
    const engine = scriptedEngine({
      name: "robot",
      turns: [
        {
          does: [
            { write: "/a.txt", content: "1" },
            { commit: true },
            { write: "/b.txt", content: "2" },
            { fail: "no fuel" },
          ],
        },
      ],
    });
    const agent = await withEngine(engine);
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({
      status: "stopped",
      reason: "failed",
      message: expect.stringContaining("no fuel"),
    });
    expect(await agent.read("/a.txt")).toBe("1");
    await expect(agent.read("/b.txt")).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("is stopped on request", async () => {
    const engine = scriptedEngine({ name: "robot", turns: [{ does: [{ delay: 20_000 }, text("never")] }] });
    const agent = await withEngine(engine);
    await agent.submit("go");
    await pause(100);
    await agent.inside((a) => a.sessions.abort("s"));
    expect(await agent.settle()).toMatchObject({ status: "stopped", reason: "aborted" });
  });
});

describe("a turn of another engine", () => {
  const answer = (turn: number, content: string) =>
    ({
      type: "step-end",
      turn,
      step: 1,
      content: [{ type: "text", text: content }],
      finishReason: "stop",
      durationMs: 1,
    }) as const;

  test("does not swallow a prompt that wants to steer: it gets a turn of its own", async () => {
    const engine = scriptedEngine({ name: "robot", turns: [{ does: [{ delay: 200 }, text("Done.")] }] });
    const agent = await withEngine(engine);
    await agent.submit("go");
    await until(() => engine.turns.length > 0);
    await agent.inside((a) => a.sessions.submit("s", "also this", { operationId: "two", whenBusy: "steer" }));
    expect(await agent.settle("two")).toMatchObject({ status: "done" });
    expect(engine.turns.map(({ input }) => input)).toEqual([
      [{ type: "text", text: "go" }],
      [{ type: "text", text: "also this" }],
    ]);
  });

  test("is held to the budget, and keeps what it did until then", async () => {
    const spends = {
      event: {
        type: "usage",
        step: 1,
        model: "m",
        inputTokens: 1e6,
        cachedInputTokens: 0,
        cacheWriteTokens: 0,
        outputTokens: 0,
        reasoningTokens: 0,
        usd: 10,
      },
    } as const;
    const does: EngineScript["turns"][number]["does"] = [
      { write: "/a", content: "1" },
      ...Array.from({ length: 10 }, () => [spends, { delay: 20 }]).flat(),
    ];
    const agent = await withEngine(scriptedEngine({ name: "robot", turns: [{ does }] }));
    await agent.inside((a) => {
      a.budget = { turn: { usd: 2 }, session: { usd: 20 } };
    });
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "stopped", reason: "budget" });
    expect((await agent.events()).filter((e) => e.type === "usage")).toHaveLength(1);
    expect(await agent.read("/a")).toBe("1");
  });

  test("that was stopped cannot change the tree any more, and its cleanup runs", async () => {
    let cleaned = false;
    const agent = await withEngine({
      name: "deaf",
      async *run({ turn }, host) {
        try {
          await pause(400);
          await host.fs.writeFile("/late.txt", "late");
          await host.commit().catch(() => {});
          yield answer(turn, "Done.");
        } finally {
          cleaned = true;
        }
      },
    });
    await agent.submit("go");
    await pause(100);
    await agent.inside((a) => a.sessions.abort("s"));
    expect(await agent.settle()).toMatchObject({ status: "stopped" });
    await until(() => cleaned);
    await expect(agent.read("/late.txt")).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("leaves the next turn alone when it is stopped while its last commit is under way", async () => {
    const begun: unknown[] = [];
    let stop = async (): Promise<void> => {};
    const agent = await withEngine({
      name: "robot",
      async *run({ turn, input }, host) {
        begun.push(input);
        if (begun.length > 1) {
          await pause(100);
          yield answer(turn, "Two.");
          return;
        }
        for (let n = 0; n < 60; n += 1) await host.fs.writeFile(`/f${n}.txt`, `${n}`.repeat(50_000));
        void (async () => {
          // A few turns of the event loop's inner queue: the commit that follows `run` has begun by then.
          for (let n = 0; n < 5; n += 1) await Promise.resolve();
          await stop();
        })();
      },
    });
    await agent.inside(async (a) => {
      stop = async () => void (await a.sessions.abort("s", "a"));
      await a.sessions.submit("s", "one", { operationId: "a" });
      await a.sessions.submit("s", "two", { operationId: "b" });
    });
    await agent.settle("a");
    expect(await agent.settle("b")).toMatchObject({ status: "done", text: "Two." });
    expect(begun).toEqual([[{ type: "text", text: "one" }], [{ type: "text", text: "two" }]]);
  });

  test("that ends with a call still open leaves a transcript that the native loop can go on from", async () => {
    const engine = scriptedEngine({
      name: "robot",
      turns: [
        {
          does: [
            { event: { type: "step-start", step: 1, attempt: 1 } },
            {
              event: {
                type: "tool-call",
                step: 1,
                toolCallId: "x1",
                toolName: "bash",
                input: { command: "ls" },
                replay: "unsafe",
                permission: "execute",
              },
            },
            {
              event: {
                type: "step-end",
                step: 1,
                content: [
                  { type: "text", text: "Working" },
                  { type: "tool-call", toolCallId: "x1" },
                ],
                finishReason: "tool-calls",
                durationMs: 1,
              },
            },
          ],
        },
      ],
    });
    const agent = await withEngine(engine);
    await agent.submit("go");
    await agent.settle();
    const events = await agent.events();
    expect(last(events, "tool-result")).toMatchObject({ toolCallId: "x1", status: "interrupted" });
    const { calls, results } = shown(events);
    expect(calls).toEqual(["x1"]);
    expect(results).toEqual(calls);
  });

  test("that was cut off in a call runs again, and no call is left without a result", async () => {
    const agent = await withEngine({
      name: "robot",
      async *run({ turn }) {
        const toolCallId = crypto.randomUUID();
        const call = { turn, step: 1, toolCallId, toolName: "bash" };
        yield { type: "step-start", turn, step: 1, attempt: 1 };
        yield { type: "tool-call", ...call, input: {}, replay: "unsafe", permission: "execute" };
        const content = [{ type: "tool-call", toolCallId }] as const;
        yield { type: "step-end", turn, step: 1, content, finishReason: "tool-calls", durationMs: 1 };
        await pause(400);
        yield { type: "tool-result", ...call, status: "ok", output: { text: "x" }, durationMs: 1, tree: "t" };
        yield { type: "step-start", turn, step: 2, attempt: 1 };
        yield { ...answer(turn, "Done."), step: 2 };
      },
    });
    await agent.submit("go");
    await until(async () => (await agent.events()).some((e) => e.type === "step-end"));
    await agent.inside((a) => a.ctx.storage.sync());
    await abortAllDurableObjects();
    expect(await agent.settle()).toMatchObject({ status: "done", text: "Done." });
    const events = await agent.events();
    const ids = (type: "tool-call" | "tool-result"): string[] =>
      events.flatMap((e) => (e.type === type ? [e.toolCallId] : []));
    expect(ids("tool-call")).toHaveLength(2);
    expect(ids("tool-result")).toEqual(ids("tool-call"));
    expect(shown(events).results).toEqual(shown(events).calls);
  });

  test("counts its own interruptions only, not those of turns that ended well", async () => {
    const agent = await withEngine({
      name: "robot",
      async *run({ turn }) {
        await pause(150);
        yield answer(turn, "Done.");
      },
    });
    const ends: unknown[] = [];
    for (let n = 1; n <= 6; n += 1) {
      await agent.submit("go", `op${n}`);
      await pause(50);
      await agent.inside((a) => a.ctx.storage.sync());
      await abortAllDurableObjects();
      ends.push(await agent.settle(`op${n}`));
    }
    expect(ends).toMatchObject(ends.map(() => ({ status: "done" })));
  }, 20_000);
});
