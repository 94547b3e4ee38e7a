import { type StorageLike, TreeStore } from "@tenrec/vfs";
import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { Journal } from "./journal.ts";
import { undoSession } from "./undo-session.ts";
import type { AgentFixture } from "./with-agent.ts";
import { filesOf, withTwoTurns } from "./with-turns.ts";

describe("a crash of an undo", () => {
  /** An undo over a storage that fails in its own way when the undo commits. */
  async function crash(
    agent: AgentFixture,
    commit: (storage: StorageLike, fn: () => unknown) => unknown,
  ): Promise<void> {
    await agent.inside(async ({ workspace, ctx }) => {
      const storage: StorageLike = {
        sql: ctx.storage.sql,
        transactionSync: <T>(fn: () => T): T => commit(ctx.storage, fn) as T,
      };
      // A store and a journal of its own: this object is not used any more.
      const faulty = { ...workspace, storage, trees: new TreeStore(storage), journal: new Journal(storage, () => 0) };
      await undoSession(faulty, "s", { turn: 1 }, false).catch(() => {});
      await ctx.storage.sync();
    });
    await abortAllDurableObjects();
  }

  test("before the commit leaves everything as it was", async () => {
    const agent = await withTwoTurns();
    const before = [await filesOf(agent), await agent.events()];
    let isHit = false;
    await crash(agent, (storage, fn) =>
      storage.transactionSync(() => {
        const result = fn();
        isHit ||= storage.sql.exec("SELECT 1 FROM tenrec_events WHERE body LIKE '%\"undo\"%'").toArray().length > 0;
        if (isHit) throw new Error("killed");
        return result;
      }),
    );
    expect(isHit).toBe(true);
    expect([await filesOf(agent), await agent.events()]).toEqual(before);
  });

  test("after the commit leaves it undone, although nobody was told", async () => {
    const agent = await withTwoTurns();
    await crash(agent, (storage, fn) => {
      const result = storage.transactionSync(fn);
      const isHit = storage.sql.exec("SELECT 1 FROM tenrec_events WHERE body LIKE '%\"undo\"%'").toArray().length > 0;
      if (isHit) throw new Error("killed");
      return result;
    });
    expect(await filesOf(agent)).toEqual({});
    expect((await agent.events()).filter((e) => e.type === "undo")).toHaveLength(1);
    expect(await agent.inside((a) => a.sessions.status("s", "two"))).toMatchObject({ undone: true });
  });
});
