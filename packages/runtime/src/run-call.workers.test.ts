import type { DurableEvent } from "@tenrec/protocol";
import { tool } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { TestAgent } from "../vitest.worker.ts";
import { withTraits } from "./index.ts";
import { savedOutputs } from "./saved-outputs.ts";
import { last, until, withAgent } from "./with-agent.ts";

/** A tool that writes `mine.txt`, and lets something else happen to the head while it runs. */
function slowWrite(agent: TestAgent, meanwhile: (run: number) => Promise<void>): void {
  let runs = 0;
  agent.tools = (base) => {
    const bash = base["bash"];
    const slow = tool({
      description: "write slowly",
      inputSchema: z.object({}),
      execute: async (_input, options) => {
        runs += 1;
        const output: unknown = await bash?.execute?.({ command: `printf 'run ${runs}' > mine.txt` }, options);
        await meanwhile(runs);
        return output;
      },
    });
    return { ...base, slow: withTraits(slow, { replay: "transaction", permission: "edit" }) };
  };
}

async function writeAside(agent: TestAgent, path: string, content: string): Promise<void> {
  const { trees } = agent.workspace;
  const overlay = trees.overlay(trees.head("main"));
  await overlay.writeFile(path, content);
  trees.commit("main", await trees.stage(overlay));
}

const says = [[{ call: "slow", input: {} }], [{ text: "Done." }]];

describe("a call whose tree was changed by somebody else", () => {
  test("merges when the paths are others", async () => {
    const agent = await withAgent({
      says,
      setup: (a) => slowWrite(a, () => writeAside(a, "/theirs.txt", "x")),
    });
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect([await agent.read("/mine.txt"), await agent.read("/theirs.txt")]).toEqual(["run 1", "x"]);
  });

  test("runs once more when they overlap", async () => {
    const agent = await withAgent({
      says,
      setup: (a) => slowWrite(a, async (run) => (run === 1 ? writeAside(a, "/mine.txt", "theirs") : undefined)),
    });
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect(await agent.read("/mine.txt")).toBe("run 2");
    expect((await agent.events()).filter((e) => e.type === "tool-result")).toHaveLength(1);
  });

  test("tells the model when they overlap again, and keeps theirs", async () => {
    const agent = await withAgent({
      says,
      setup: (a) => slowWrite(a, (run) => writeAside(a, "/mine.txt", `theirs ${run}`)),
    });
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect(await agent.read("/mine.txt")).toBe("theirs 2");
    const { status, output } = last(await agent.events(), "tool-result");
    expect(status).toBe("error");
    expect(output.text).toBe(
      "Changed by somebody else at the same time: /mine.txt\nRead these files again and repeat the change.",
    );
  });
});

test("a tool of the agent's own that throws is an answer, without a stack", async () => {
  const agent = await withAgent({
    says: [[{ call: "boom", input: {} }], [{ text: "Sorry." }]],
    setup: (a) => {
      const boom = tool({
        description: "explode",
        inputSchema: z.object({}),
        execute: (): { text: string } => {
          throw new Error("kaboom");
        },
      });
      a.tools = (base) => ({ ...base, boom: withTraits(boom, { replay: "pure", permission: "read" }) });
    },
  });
  await agent.submit("go");
  expect(await agent.settle()).toMatchObject({ status: "done" });
  expect(last(await agent.events(), "tool-result").output).toEqual({ text: "Internal error: kaboom", isError: true });
});

test("a tool that does not listen is left behind when the turn is stopped", async () => {
  const deaf = tool({
    description: "wait",
    inputSchema: z.object({}),
    execute: () => new Promise<{ text: string }>(() => {}),
  });
  const agent = await withAgent({
    says: [[{ call: "deaf", input: {} }]],
    setup: (a) => {
      a.tools = (base) => ({ ...base, deaf: withTraits(deaf, { replay: "transaction", permission: "edit" }) });
    },
  });
  await agent.submit("go");
  await new Promise((resolve) => setTimeout(resolve, 100));
  await agent.inside((a) => a.sessions.abort("s"));
  expect(await agent.settle()).toMatchObject({ status: "stopped", reason: "aborted" });
});

test("a stop in a tool with effects elsewhere tells the model that their outcome is unknown", async () => {
  const deaf = tool({
    description: "deploy",
    inputSchema: z.object({}),
    execute: () => new Promise<{ text: string }>(() => {}),
  });
  const agent = await withAgent({
    says: [[{ call: "deploy", input: {} }]],
    setup: (a) => {
      a.policy = { network: "allow" };
      a.tools = (base) => ({ ...base, deploy: withTraits(deaf, { replay: "unsafe", permission: "network" }) });
    },
  });
  await agent.submit("go");
  await until(async () => (await agent.events()).some((e) => e.type === "effect"));
  await agent.inside((a) => a.sessions.abort("s"));
  expect(await agent.settle()).toMatchObject({ status: "stopped", reason: "aborted" });
  expect(last(await agent.events(), "tool-result").output.text).toContain("unknown");
});

test("what tools of the agent's own return is cut at the caps, and of a wrong shape does not spoil the session", async () => {
  const returning = (value: unknown) =>
    withTraits(tool({ description: "returns", inputSchema: z.object({}), execute: () => value }), {
      replay: "pure",
      permission: "read",
    });
  const agent = await withAgent({
    says: [
      [
        { call: "big", input: {} },
        { call: "odd", input: {} },
      ],
      [{ text: "Done." }],
      [{ text: "Later." }],
    ],
    setup: (a) => {
      const big = returning("x".repeat(2_000_000));
      const odd = returning({ text: "ok", media: "abc" });
      a.tools = (base) => ({ ...base, big, odd });
    },
  });
  await agent.submit("go", "a");
  expect(await agent.settle("a")).toMatchObject({ status: "done" });
  await agent.submit("go on", "b");
  expect(await agent.settle("b")).toMatchObject({ status: "done" });
  const sizes = (await agent.events()).flatMap((e) => (e.type === "tool-result" ? [e.output.text.length] : []));
  expect(sizes).toHaveLength(2);
  expect(Math.max(...sizes)).toBeLessThan(60_000);
});

test("calls to which the model gives one id have ids of their own", async () => {
  const agent = await withAgent({
    says: [
      [{ call: "ls", input: {}, id: "call_0" }],
      [{ call: "glob", input: { pattern: "*" }, id: "call_0" }],
      [{ text: "Done." }],
    ],
  });
  await agent.submit("go");
  expect(await agent.settle()).toMatchObject({ status: "done" });
  const ids = (type: "tool-call" | "tool-result", of: readonly DurableEvent[]): string[] =>
    of.flatMap((e) => (e.type === type ? [e.toolCallId] : []));
  const events = await agent.events();
  expect(new Set(ids("tool-call", events)).size).toBe(2);
  expect(ids("tool-result", events)).toEqual(ids("tool-call", events));
});

test("a saved output of a call that runs again and prints less is replaced whole", async () => {
  const agent = await withAgent({ says: [] });
  await agent.inside(({ workspace }) => {
    savedOutputs(workspace, "s", "c").save("a".repeat(1_200_000));
    const again = savedOutputs(workspace, "s", "c");
    expect(again.read(again.save("b"))).toBe("b");
  });
});

test("long output is cut for the model and can be read on", async () => {
  const agent = await withAgent({
    says: [
      [{ call: "bash", input: { command: "seq 1 9000" }, id: "long" }],
      [{ call: "read", input: { path: "/output/long.txt", offset: 5000, limit: 1 } }],
      [{ text: "Done." }],
    ],
  });
  await agent.submit("go");
  await agent.settle();
  const [cut, rest] = (await agent.events()).flatMap((e) => (e.type === "tool-result" ? [e.output.text] : []));
  expect(cut?.split("\n").length).toBeLessThan(2010);
  expect(cut).toContain("/output/long.txt");
  expect(rest).toContain("5000");
  expect(rest).not.toContain("5002");
});
