import type { ScriptPart } from "@tenrec/testkit";
import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { type AgentFixture, withAgent } from "./with-agent.ts";
import { undo } from "./with-turns.ts";

const read: ScriptPart = { call: "read", input: { path: "a.txt" } };
const write = (content: string): ScriptPart => ({ call: "write", input: { path: "a.txt", content } });
const done: ScriptPart = { text: "Done." };

async function turn(agent: AgentFixture, operationId: string): Promise<string> {
  await agent.submit("go on", operationId);
  await agent.settle(operationId);
  const results = (await agent.events()).flatMap((event) => (event.type === "tool-result" ? [event.output.text] : []));
  return results.at(-1) ?? "";
}

describe("a file that the model overwrites", () => {
  test("has to be read first, and what was read is known after a restart", async () => {
    const agent = await withAgent({ says: [[write("1")], [done], [read], [done], [write("2")], [done]] });
    await agent.write("/a.txt", "0\n");
    expect(await turn(agent, "a")).toMatch(/^Not read yet, so not overwritten: a\.txt\n/);
    expect(await agent.read("/a.txt")).toBe("0\n");
    await turn(agent, "b");
    await agent.inside((a) => a.ctx.storage.sync());
    await abortAllDurableObjects();
    expect(await turn(agent, "c")).toMatch(/^Overwrote a\.txt/);
  });

  test("must not have been changed by somebody else since", async () => {
    const agent = await withAgent({ says: [[read], [done], [write("1")], [done]] });
    await agent.write("/a.txt", "0\n");
    await turn(agent, "a");
    await agent.write("/a.txt", "theirs\n");
    expect(await turn(agent, "b")).toMatch(/^Changed since it was read: a\.txt\n/);
    expect(await agent.read("/a.txt")).toBe("theirs\n");
  });

  test("is known in a fork, and as it was before what an undo took back", async () => {
    const agent = await withAgent({ says: [[read], [done], [write("1")], [done], [write("2")], [done]] });
    await agent.write("/a.txt", "0\n");
    await turn(agent, "a");
    await turn(agent, "b");
    await undo(agent, { turn: 2 });
    expect(await agent.read("/a.txt")).toBe("0\n");
    expect(await turn(agent, "c")).toMatch(/^Overwrote a\.txt: 1 line, 1 bytes, before 2 bytes/);
    const fork = await agent.inside((a) => a.sessions.fork("s"));
    const known = await agent.inside(({ workspace: { journal } }) => {
      const hashes = (id: string): unknown =>
        journal
          .state(id)
          .seen.get("/a.txt")
          ?.map(({ hash }) => hash);
      return [hashes(fork.id), hashes("s")];
    });
    expect(known[0]).toEqual(known[1]);
    expect(known[0]).toHaveLength(3);
  });
});
