import { scriptedEngine } from "@tenrec/testkit";
import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { type AgentFixture, until, withAgent } from "./with-agent.ts";
import { assertLegalMessages } from "./with-legal-messages.ts";
import { bash, filesOf, refusal, run, says, undo, withTwoTurns } from "./with-turns.ts";
import { requests, scripts } from "../vitest.worker.ts";

describe("an undo", () => {
  test("to a turn takes back conversation and files together, and the next turn goes on from there", async () => {
    const agent = await withTwoTurns([says("third answer")]);
    const before = await agent.inside((a) => a.sessions.history("s").find((e) => e.type === "turn-end"));
    const undone = await undo(agent, { turn: 2 });
    expect(undone.files).toEqual(["/a.txt", "/d/c.txt", "/link", "/new/deep/b.txt", "/run"]);
    // To the byte, modes and empty directories included.
    expect(undone.tree).toBe(before?.type === "turn-end" ? before.tree : "");
    expect(await filesOf(agent)).toMatchObject({ "/a.txt": "one\n", "/d/c.txt": "kept\n", "/link": "symlink" });
    expect(await agent.inside((a) => a.sessions.status("s", "two"))).toMatchObject({ status: "done", undone: true });
    expect(await agent.inside((a) => a.sessions.status("s", "one"))).not.toHaveProperty("undone");
    // Still known: it does not run again.
    const again = await agent.inside((a) => a.sessions.submit("s", "please two", { operationId: "two" }));
    expect(again.accepted).toBe(false);
    await run(agent, "three");
    const sent = requests.at(-1) ?? "";
    expect(sent).toContain("first answer");
    expect(sent).toContain("please three");
    expect(sent).not.toContain("second answer");
    expect(sent).not.toContain("please two");
    const events = await agent.events();
    assertLegalMessages(events);
    // Nothing was removed from the journal, and numbers go on.
    expect(events.filter((e) => e.type === "turn-start").map((e) => e.turn)).toEqual([1, 2, 3]);
    expect(events.map((e) => e.seq)).toEqual(events.map((_, i) => i + 1));
  });

  test("to a call keeps what was done until then, and the model is told of what was not", async () => {
    const agent = await withTwoTurns([says("third answer")]);
    const first = (await agent.events()).find((e) => e.type === "tool-result" && e.turn === 2);
    if (first?.type !== "tool-result") throw new Error("no call");
    const undone = await undo(agent, { turn: 2, toolCallId: first.toolCallId });
    expect(undone.tree).toBe(first.tree);
    expect(await filesOf(agent)).toMatchObject({ "/a.txt": "two\n", "/d/c.txt": "kept\n", "/new/deep/b.txt": "new\n" });
    expect(await agent.inside((a) => a.sessions.status("s", "two"))).toMatchObject({ undone: true });
    await run(agent, "three");
    expect(requests.at(-1)).toContain("The user took this call back");
    expect(requests.at(-1)).toContain("please two");
    expect(requests.at(-1)).not.toContain("second answer");
    assertLegalMessages(await agent.events());
  });

  test("can be undone, and so can that", async () => {
    const agent = await withTwoTurns();
    const whole = await filesOf(agent);
    const { redo } = await undo(agent, { turn: 1 });
    expect(await filesOf(agent)).toEqual({});
    if (!redo) throw new Error("no redo");
    const redone = await undo(agent, redo);
    expect(await filesOf(agent)).toEqual(whole);
    expect(await agent.inside((a) => a.sessions.status("s", "two"))).not.toHaveProperty("undone");
    if (!redone.redo) throw new Error("no redo");
    await undo(agent, redone.redo);
    expect(await filesOf(agent)).toEqual({});
    expect(await agent.inside((a) => a.sessions.snapshot("s"))).toMatchObject({ session: { state: "idle" } });
  });

  test("survives a restart, and maintenance keeps what a redo needs", async () => {
    const agent = await withTwoTurns();
    const whole = await filesOf(agent);
    const { redo } = await undo(agent, { turn: 1 });
    await agent.inside((a) => a.ctx.storage.sync());
    await abortAllDurableObjects();
    expect(await filesOf(agent)).toEqual({});
    const { maintain } = await import("@tenrec/vfs");
    await agent.inside(({ workspace: { trees, journal } }) => maintain(trees, { keep: journal.trees(), graceMs: -1 }));
    if (!redo) throw new Error("no redo");
    await undo(agent, redo);
    expect(await filesOf(agent)).toEqual(whole);
  });

  test("what it took back is in no diff any more", async () => {
    const agent = await withTwoTurns();
    const diff = async (turn?: number): Promise<string[]> =>
      (await agent.inside(async (a) => (await import("./files.ts")).diffSession(a.workspace, "s", turn))).map(
        ({ path }) => path,
      );
    const [first] = (await agent.events()).filter((e) => e.type === "tool-result" && e.turn === 2);
    if (first?.type !== "tool-result") throw new Error("no call");
    await undo(agent, { turn: 2, toolCallId: first.toolCallId });
    await run(agent, "three");
    expect(await diff(2)).toEqual(["/a.txt", "/new/deep/b.txt"]);
    await undo(agent, { turn: 2 });
    expect(await diff()).toEqual(["/a.txt", "/d/c.txt", "/link", "/run"]);
    await undo(agent, { turn: 1 });
    expect(await diff()).toEqual([]);
    await expect(diff(1)).rejects.toMatchObject({ code: "request-invalid" });
  });

  test("of a point that is no more is refused", async () => {
    const agent = await withTwoTurns();
    await undo(agent, { turn: 2 });
    expect(await refusal(agent, { turn: 2 })).toMatchObject({ code: "point-not-found" });
    expect(await refusal(agent, { seq: 3 })).toMatchObject({ code: "point-not-found" });
  });
});

describe("of files that others change too, an undo", () => {
  const edit = async (agent: AgentFixture, path: string, content: string): Promise<void> => agent.write(path, content);

  test("takes back only what the session itself did", async () => {
    const agent = await withTwoTurns();
    await edit(agent, "/theirs.txt", "theirs");
    await edit(agent, "/new/theirs.txt", "theirs");
    const undone = await undo(agent, { turn: 2 });
    expect(undone.files).toEqual(["/a.txt", "/d/c.txt", "/link", "/new/deep/b.txt", "/run"]);
    expect(await filesOf(agent)).toEqual({
      "/a.txt": "one\n",
      "/d": "directory",
      "/d/c.txt": "kept\n",
      "/link": "symlink",
      "/new": "directory",
      "/new/theirs.txt": "theirs",
      "/run": "#!\n",
      "/theirs.txt": "theirs",
    });
    const mode = await agent.inside(({ workspace: { trees } }) => trees.overlay(trees.head("main")).stat("/run"));
    expect(mode.mode).toBe(0o644);
    // And again: their files stay there as well.
    if (!undone.redo) throw new Error("no redo");
    await undo(agent, undone.redo);
    expect(await filesOf(agent)).toMatchObject({
      "/a.txt": "two\n",
      "/theirs.txt": "theirs",
      "/new/deep/b.txt": "new\n",
    });
    expect(await filesOf(agent)).not.toHaveProperty("/link");
  });

  test("is refused with the paths that they changed since, changes nothing, and overwrites them when forced", async () => {
    const agent = await withTwoTurns();
    await edit(agent, "/a.txt", "theirs");
    await edit(agent, "/theirs.txt", "theirs");
    const before = [await filesOf(agent), (await agent.events()).length];
    expect(await refusal(agent, { turn: 2 })).toEqual({
      code: "undo-conflict",
      data: { session: "s", paths: ["/a.txt"] },
    });
    expect([await filesOf(agent), (await agent.events()).length]).toEqual(before);
    await undo(agent, { turn: 2 }, { force: true });
    expect(await filesOf(agent)).toMatchObject({ "/a.txt": "one\n", "/d/c.txt": "kept\n", "/theirs.txt": "theirs" });
  });

  test("that was forced over them gives theirs back when it is undone, also after maintenance", async () => {
    const agent = await withTwoTurns();
    await edit(agent, "/a.txt", "theirs");
    const { redo } = await undo(agent, { turn: 2 }, { force: true });
    const { maintain } = await import("@tenrec/vfs");
    await agent.inside((a) => a.ctx.storage.sync());
    await abortAllDurableObjects();
    await agent.inside(({ workspace: { trees, journal } }) => maintain(trees, { keep: journal.trees(), graceMs: -1 }));
    if (!redo) throw new Error("no redo");
    await undo(agent, redo);
    expect(await filesOf(agent)).toMatchObject({ "/a.txt": "theirs", "/new/deep/b.txt": "new\n" });
  });

  test("gives back what they had put there before, not what was there at the first turn", async () => {
    const agent = await withAgent({
      says: [[bash("echo one > x.txt")], says("1"), [bash("echo mine > shared.txt")], says("2")],
    });
    await edit(agent, "/shared.txt", "old");
    await run(agent, "one");
    await edit(agent, "/shared.txt", "theirs");
    await run(agent, "two");
    await undo(agent, { turn: 1 });
    expect(await filesOf(agent)).toEqual({ "/shared.txt": "theirs" });
  });

  test("is refused when they changed a file between two changes of its own", async () => {
    const agent = await withAgent({
      says: [[bash("echo one > x.txt")], says("1"), [bash("echo two >> x.txt")], says("2")],
    });
    await run(agent, "one");
    await edit(agent, "/x.txt", "theirs\n");
    await run(agent, "two");
    expect(await refusal(agent, { turn: 1 })).toMatchObject({ code: "undo-conflict", data: { paths: ["/x.txt"] } });
    await undo(agent, { turn: 2 });
    expect(await filesOf(agent)).toEqual({ "/x.txt": "theirs\n" });
  });

  test("has nothing to do where they took it back already", async () => {
    const agent = await withTwoTurns();
    await edit(agent, "/a.txt", "one\n");
    await undo(agent, { turn: 2 });
    expect(await filesOf(agent)).toMatchObject({ "/a.txt": "one\n", "/d/c.txt": "kept\n" });
  });

  test("leaves a session that shares the tree its own edits", async () => {
    const agent = await withTwoTurns();
    const steps = [{ say: [bash("echo t > t.txt && echo more >> run")] }, { say: says("t") }];
    scripts.set(`${agent.name}-t`, { model: "t", steps });
    await agent.inside(async (a) => {
      a.sessions.create({ id: "t" });
      a.sessions.change("t", { model: `scripted/${agent.name}-t` });
      await a.sessions.submit("t", "go", { operationId: "t" });
      await until(() => a.sessions.status("t", "t").status === "done");
    });
    expect(await refusal(agent, { turn: 2 })).toMatchObject({ code: "undo-conflict", data: { paths: ["/run"] } });
    await agent.inside((a) => a.sessions.undo("t", { turn: 1 }));
    await undo(agent, { turn: 2 });
    expect(await filesOf(agent)).toMatchObject({ "/a.txt": "one\n", "/run": "#!\n" });
    expect(await filesOf(agent)).not.toHaveProperty("/t.txt");
  });

  test("does not follow a link that they put in the way", async () => {
    const agent = await withTwoTurns();
    await agent.inside(async ({ workspace: { trees } }) => {
      const overlay = trees.overlay(trees.head("main"));
      await overlay.mkdir("/elsewhere");
      await overlay.symlink("elsewhere", "/d");
      trees.commit("main", await trees.stage(overlay));
    });
    expect(await refusal(agent, { turn: 2 }, { force: true })).toMatchObject({ data: { paths: ["/d/c.txt"] } });
    expect(await filesOf(agent)).not.toHaveProperty("/elsewhere/c.txt");
  });
});

test("of another engine's turn takes back all that it changed, told or not", async () => {
  const engine = scriptedEngine({
    name: "robot",
    turns: [
      { does: [{ write: "/a.txt", content: "1" }, { commit: true }, { write: "/b.txt", content: "2" }] },
      { does: [{ write: "/a.txt", content: "3" }] },
    ],
  });
  const agent = await withAgent({
    says: [],
    setup: (a) => {
      a.engine = engine;
    },
  });
  await run(agent, "one");
  await run(agent, "two");
  await agent.write("/theirs.txt", "theirs");
  await undo(agent, { turn: 2 });
  expect(await filesOf(agent)).toEqual({ "/a.txt": "1", "/b.txt": "2", "/theirs.txt": "theirs" });
  await undo(agent, { turn: 1 });
  expect(await filesOf(agent)).toEqual({ "/theirs.txt": "theirs" });
});

describe("while something goes on, an undo", () => {
  test("is refused when a turn runs, or stops it when told to, and drops what waits", async () => {
    const agent = await withAgent({
      says: [[bash("echo x > x")], [{ text: "wait" }, { delay: 3000 }, { text: "Done." }]],
    });
    await agent.submit("go", "a");
    await agent.submit("next", "b");
    await until(async () => (await agent.events()).some((e) => e.type === "tool-result"));
    expect(await refusal(agent, { turn: 1 })).toMatchObject({ code: "session-busy" });
    expect(await refusal(agent, { turn: 9 }, { whenBusy: "abort" })).toMatchObject({ code: "point-not-found" });
    expect(await agent.inside((a) => a.sessions.get("s").state)).toBe("running");
    await undo(agent, { turn: 1 }, { whenBusy: "abort" });
    expect(await filesOf(agent)).toEqual({});
    expect(await agent.inside((a) => a.sessions.snapshot("s"))).toMatchObject({
      session: { state: "idle" },
      operations: [],
    });
    expect(await agent.inside((a) => a.sessions.status("s", "a"))).toMatchObject({ status: "stopped", undone: true });
    expect(await agent.inside((a) => a.sessions.status("s", "b"))).toMatchObject({ status: "stopped" });
  });

  test("drops a turn that waits for an approval, with all that waits behind it", async () => {
    const agent = await withAgent({
      says: [[bash("echo x > x")], [bash("cat x")], says("after")],
      setup: (a) => {
        a.policy = { rules: [{ bash: "cat", verdict: "ask" }] };
      },
    });
    await agent.submit("please a", "a");
    expect(await agent.settle("a")).toMatchObject({ status: "waiting" });
    await agent.submit("next", "b");
    const [pending] = await agent.inside((a) => a.sessions.pending("s"));
    await until(() =>
      agent.inside((a) =>
        a.sessions.undo("s", { turn: 1 }).then(
          () => true,
          () => false,
        ),
      ),
    );
    expect(await filesOf(agent)).toEqual({});
    for (const id of ["a", "b"]) {
      expect(await agent.inside((a) => a.sessions.status("s", id))).toMatchObject({ status: "stopped" });
    }
    expect(await agent.inside((a) => a.sessions.pending("s"))).toEqual([]);
    await expect(
      agent.inside((a) => a.sessions.answer("s", pending?.approvalId ?? "", { approved: true })),
    ).rejects.toMatchObject({ code: "approval-answered" });
    await run(agent, "c");
    expect(await agent.inside((a) => a.sessions.status("s", "c"))).toMatchObject({ status: "waiting" });
    expect(requests.at(-1)).not.toContain("please a");
    assertLegalMessages(await agent.events());
  });

  test("of two at once, one is done and the other refused", async () => {
    const agent = await withTwoTurns();
    // Makes both plan, which takes a while, before either commits.
    await agent.write("/theirs.txt", "theirs");
    const results = await agent.inside((a) =>
      Promise.allSettled([a.sessions.undo("s", { turn: 2 }), a.sessions.undo("s", { turn: 1 })]),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await agent.events()).filter((e) => e.type === "undo")).toHaveLength(1);
  });

  test("is refused when something came in before it could commit", async () => {
    const agent = await withTwoTurns();
    await agent.write("/theirs.txt", "theirs");
    const undoing = agent.inside(async (a) => {
      const refused = a.sessions.undo("s", { turn: 2 }).catch((error: unknown) => error);
      a.sessions.change("s", { title: "Meanwhile" });
      return refused;
    });
    expect(await undoing).toMatchObject({ code: "session-busy" });
    expect(await filesOf(agent)).toMatchObject({ "/a.txt": "two\n" });
    await undo(agent, { turn: 2 });
    expect(await filesOf(agent)).toMatchObject({ "/a.txt": "one\n", "/theirs.txt": "theirs" });
  });
});
