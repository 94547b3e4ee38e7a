import type { ScriptPart } from "@tenrec/testkit";
import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { toModelMessages } from "./messages.ts";
import { type AgentFixture, pause, until, withAgent } from "./with-agent.ts";
import { assertLegalMessages } from "./with-legal-messages.ts";
import { ownHead } from "./workspace.ts";

describe("a fork", () => {
  test("leaves prompts that wait to the original, also after a restart", async () => {
    const say = [{ delay: 150 }, { text: "Done." }];
    const agent = await withAgent({ says: [say, say] });
    await agent.submit("first", "a");
    await until(async () => (await agent.inside((a) => a.sessions.status("s", "a"))).status === "running");
    await agent.submit("second", "b");
    await agent.settle("a");
    const fork = await agent.inside((a) => a.sessions.fork("s"));
    expect(fork.state).toBe("idle");
    expect(await agent.settle("b")).toMatchObject({ status: "done", turn: 2 });
    await agent.inside((a) => a.ctx.storage.sync());
    await abortAllDurableObjects();
    await agent.inside(() => {});
    await pause(400);
    const events = await agent.inside((a) => a.sessions.history(fork.id));
    expect(events.filter((e) => e.type === "turn-start")).toHaveLength(1);
    expect(await agent.inside((a) => a.sessions.snapshot(fork.id))).toMatchObject({
      session: { state: "idle" },
      operations: [],
    });
  });

  test("of a session that was reset begins where the session is, with its title and model", async () => {
    const agent = await withAgent({ says: [[{ text: "secret" }]] });
    await agent.submit("first");
    await agent.settle();
    await agent.inside((a) => {
      a.sessions.reset("s", "Where we are.");
      a.sessions.change("s", { model: "scripted/other", title: "Named" });
      const fork = a.sessions.fork("s");
      expect(fork).toMatchObject({ title: "Named", model: "scripted/other" });
      const messages = (session: string): unknown =>
        toModelMessages(a.workspace.journal.events(session), { mediaInResults: false });
      expect(messages(fork.id)).toEqual(messages("s"));
      expect(messages(fork.id)).toEqual([{ role: "user", content: "Where we are." }]);
    });
  });

  describe("at a moment", () => {
    const bash = (command: string): ScriptPart => ({ call: "bash", input: { command } });
    const withTurns = async (): Promise<AgentFixture> => {
      const agent = await withAgent({
        says: [
          [bash("echo 1 > one.txt")],
          [{ text: "first answer" }],
          [bash("echo 2 > two.txt"), bash("echo 3 > three.txt")],
          [{ text: "second answer" }],
        ],
      });
      for (const id of ["a", "b"]) {
        await agent.submit(`prompt ${id}`, id);
        await agent.settle(id);
      }
      return agent;
    };
    const filesOf = (agent: AgentFixture, id: string): Promise<string[]> =>
      agent.inside(({ workspace: { trees } }) => trees.manifest(trees.head(ownHead(id))).map(({ path }) => path));
    const saidIn = (agent: AgentFixture, id: string): Promise<string> =>
      agent.inside(({ workspace: { journal } }) =>
        JSON.stringify(toModelMessages(journal.events(id), { mediaInResults: false })),
      );

    test("before a turn has the conversation and the files of that moment", async () => {
      const agent = await withTurns();
      const fork = await agent.inside((a) => a.sessions.fork("s", { at: { turn: 2 } }));
      expect(fork).toMatchObject({ state: "idle", parent: "s" });
      expect(await filesOf(agent, fork.id)).toEqual(["/one.txt"]);
      const said = await saidIn(agent, fork.id);
      expect(said).toContain("first answer");
      expect(said).not.toContain("prompt b");
      const first = await agent.inside((a) => a.sessions.fork("s", { at: { turn: 1 } }));
      expect([await filesOf(agent, first.id), await saidIn(agent, first.id)]).toEqual([[], "[]"]);
    });

    test("after a call goes on from there, while the original goes its own way", async () => {
      const agent = await withTurns();
      const call = (await agent.events()).find((e) => e.type === "tool-result" && e.turn === 2);
      if (call?.type !== "tool-result") throw new Error("no call");
      const at = { turn: 2, toolCallId: call.toolCallId };
      const fork = await agent.inside((a) => {
        a.sessions.change("s", { title: "Named" });
        return a.sessions.fork("s", { at });
      });
      expect(fork).toMatchObject({ state: "idle", title: "Named", tree: call.tree });
      expect(await filesOf(agent, fork.id)).toEqual(["/one.txt", "/two.txt"]);
      await agent.inside(async (a) => {
        await a.sessions.submit(fork.id, "go on", { operationId: "c" });
        await until(() => a.sessions.status(fork.id, "c").status === "done");
        assertLegalMessages(a.workspace.journal.events(fork.id));
      });
      const said = await saidIn(agent, fork.id);
      expect(said).toContain("The user took this call back");
      expect(said).toContain("go on");
      expect(await agent.read("/three.txt")).toBe("3\n");
      expect((await agent.events()).some((e) => e.type === "undo")).toBe(false);
    });

    test("that was taken back can be had by its event, and else is refused", async () => {
      const agent = await withTurns();
      await agent.inside(async (a) => {
        const { redo } = await a.sessions.undo("s", { turn: 1 });
        expect(() => a.sessions.fork("s", { at: { turn: 2 } })).toThrow(
          expect.objectContaining({ code: "point-not-found" }),
        );
        const fork = a.sessions.fork("s", redo ? { at: redo } : {});
        expect(a.workspace.trees.manifest(fork.tree)).toHaveLength(3);
        // It can be undone for itself.
        await a.sessions.undo(fork.id, { turn: 2 });
        expect(a.workspace.trees.manifest(a.sessions.get(fork.id).tree)).toHaveLength(1);
      });
    });
  });
});
