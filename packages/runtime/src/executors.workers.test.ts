import type { Executor } from "@tenrec/protocol";
import { type CommandScript, scriptedExecutor } from "@tenrec/testkit";
import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import type { TestAgent } from "../vitest.worker.ts";
import { last, until, withAgent } from "./with-agent.ts";

/** An executor that plays a script, and how often it was asked to run something. */
function counted(commands: readonly CommandScript[]): { executor: Executor; runs: [id: string, command: string][] } {
  const inner = scriptedExecutor({ name: "box", commands });
  const runs: [id: string, command: string][] = [];
  const exec: Executor["exec"] = (command, options) => {
    runs.push([options.operationId, command]);
    return inner.exec(command, options);
  };
  return { executor: { ...inner, exec }, runs };
}

function allowing(executor: Executor): (agent: TestAgent) => void {
  return (agent) => {
    agent.executors = [executor];
    agent.policy = { execute: "allow" };
  };
}

function bash(command: string, id?: string): { call: string; input: { command: string }; id?: string } {
  return { call: "bash", input: { command }, ...(id === undefined ? {} : { id }) };
}

const done = [{ text: "Done." }];

describe("a command for an executor", () => {
  const command = bash("node main.js");
  const executor = scriptedExecutor({
    name: "box",
    commands: [{ when: "node main.js", does: [{ stdout: "ran\n" }, { write: "out.txt", content: "made" }] }],
  });

  test("asks first, and once granted its files and its output are kept together", async () => {
    const agent = await withAgent({
      says: [[command], done],
      setup: (a) => {
        a.executors = [executor];
      },
    });
    await agent.submit("go");
    const status = await agent.settle();
    expect(status.status).toBe("waiting");
    const [pending] = await agent.inside((a) => a.sessions.pending("s"));
    expect(pending).toMatchObject({ permission: "execute", detail: expect.stringContaining("node main.js") });
    await agent.inside((a) => a.sessions.answer("s", pending?.approvalId ?? "", { approved: true }));
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect(last(await agent.events(), "tool-result").output.text).toContain("ran");
    expect(last(await agent.events(), "escalation")).toMatchObject({ executor: "box" });
    expect(await agent.read("/out.txt")).toBe("made");
  });

  test("is refused with advice where there is none", async () => {
    const agent = await withAgent({ says: [[command], [{ text: "Understood." }]] });
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done" });
    const { output } = last(await agent.events(), "tool-result");
    expect(output.text).toContain("node needs an executor");
    expect(output.text).toContain("[exit code 127]");
  });
});

describe("a command that an executor runs", () => {
  test("is not started again after the object died in it, and the model is told", async () => {
    const { executor, runs } = counted([{ when: "npm publish", does: [{ delay: 5000 }] }]);
    const agent = await withAgent({ says: [[bash("npm publish")], done], setup: allowing(executor) });
    await agent.submit("go");
    await until(() => runs.length > 0);
    await agent.inside((a) => a.ctx.storage.sync());
    await abortAllDurableObjects();
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect(runs).toHaveLength(1);
    expect(last(await agent.events(), "tool-result")).toMatchObject({
      status: "interrupted",
      output: { text: expect.stringContaining("unknown") },
    });
  });

  test("is not started again when its files conflict with another commit", async () => {
    const { executor, runs } = counted([
      { when: "npm publish", does: [{ write: "x.txt", content: "box" }, { delay: 300 }] },
    ]);
    const agent = await withAgent({ says: [[bash("npm publish")], done], setup: allowing(executor) });
    await agent.submit("go");
    await until(() => runs.length > 0);
    await agent.write("/x.txt", "theirs");
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect(runs).toHaveLength(1);
    expect(await agent.read("/x.txt")).toBe("theirs");
    expect(last(await agent.events(), "tool-result").output.text).toContain("The command itself did run");
  });

  test("has an operation id of its own, whatever ids the model gives its calls", async () => {
    const { executor, runs } = counted([{ when: { startsWith: "npm" }, does: [] }]);
    const agent = await withAgent({
      says: [[bash("npm one", "call_0")], [bash("npm two", "call_0")], done],
      setup: allowing(executor),
    });
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect(runs.map(([, command]) => command)).toEqual(["npm one", "npm two"]);
    expect(new Set(runs.map(([id]) => id)).size).toBe(2);
  });

  test("prints as much as it likes, and little of it is held in memory", async () => {
    const stdout = "y\n".repeat(512 * 1024);
    const does = Array.from({ length: 40 }, () => [{ stdout }, { delay: 1 }]).flat();
    const { executor } = counted([{ when: "npm run yes", does: [...does, { delay: 300 }] }]);
    const agent = await withAgent({ says: [[bash("npm run yes")], done], setup: allowing(executor) });
    await agent.submit("go");
    let most = 0;
    await until(async () => {
      const held = await agent.inside((a) => a.workspace.deltas.open("s").reduce((n, d) => n + d.text.length, 0));
      most = Math.max(most, held);
      return most > 0 && held === 0;
    }, 8000);
    expect(most).toBeLessThan(1024 * 1024);
    expect(await agent.settle()).toMatchObject({ status: "done" });
  }, 20_000);

  test("leaves its whole output to be read on, apart from that of another call with the same id", async () => {
    const print = (letter: string, lines: number): CommandScript["does"] => [
      { stdout: `${letter.repeat(99)}\n`.repeat(lines) },
    ];
    const { executor } = counted([
      { when: "npm one", does: print("a", 12_000) },
      { when: "npm two", does: print("b", 1000) },
    ]);
    const agent = await withAgent({
      says: [[bash("npm one", "call_0")], [bash("npm two", "call_0")], done],
      setup: allowing(executor),
    });
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done" });
    const saved = await agent.inside((a) =>
      a.ctx.storage.sql
        .exec<{ id: string; letter: string }>("SELECT id, substr(body, 1, 1) AS letter FROM tenrec_outputs")
        .toArray(),
    );
    const letters = Map.groupBy(saved, ({ id }) => id);
    expect([...letters.values()].map((rows) => [...new Set(rows.map(({ letter }) => letter))])).toEqual([["a"], ["b"]]);
    const texts = (await agent.events()).flatMap((e) => (e.type === "tool-result" ? [e.output.text] : []));
    const paths = texts.map((text) => /\/output\/[^ ]+\.txt/.exec(text)?.[0]);
    expect(new Set(paths)).toEqual(new Set([...letters.keys()].map((id) => `/output/${id}.txt`)));
  });
});
