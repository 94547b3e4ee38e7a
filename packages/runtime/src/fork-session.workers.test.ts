import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { toModelMessages } from "./messages.ts";
import { pause, until, withAgent } from "./with-agent.ts";

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
});
