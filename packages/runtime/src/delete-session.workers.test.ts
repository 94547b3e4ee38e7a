import type { ScriptPart } from "@tenrec/testkit";
import { maintain, type StorageLike } from "@tenrec/vfs";
import { abortAllDurableObjects } from "cloudflare:test";
import { expect, test } from "vitest";
import { deleteSession } from "./delete-session.ts";
import { systemClock } from "./system-clock.ts";
import { type AgentFixture, until, withAgent } from "./with-agent.ts";
import { agentOf, insideOf, watch } from "./with-worker.ts";

const write = (path: string, content: string): ScriptPart => ({ call: "write", input: { path, content } });

/** Rows of a session in each of the journal's tables. */
function rowsOf(agent: AgentFixture, session: string): Promise<Record<string, unknown>> {
  return agent.inside(({ ctx }) => {
    const count = (table: string, column: string): unknown =>
      ctx.storage.sql.exec(`SELECT COUNT(*) AS n FROM ${table} WHERE ${column} = ?`, session).one()["n"];
    return {
      sessions: count("tenrec_sessions", "id"),
      events: count("tenrec_events", "session"),
      parts: count("tenrec_event_parts", "session"),
      operations: count("tenrec_operations", "session"),
      outputs: count("tenrec_outputs", "session"),
    };
  });
}

const NONE = { sessions: 0, events: 0, parts: 0, operations: 0, outputs: 0 };

/** Frees what nothing refers to, as the maintenance does, however young it is. */
function sweep(agent: AgentFixture): Promise<unknown> {
  return agent.inside(({ workspace: { trees, journal } }) => maintain(trees, { keep: journal.trees(), graceMs: -1 }));
}

/** Whether a content is stored. */
function isStored(agent: AgentFixture, content: string): Promise<boolean> {
  return agent.inside(async ({ ctx }) => {
    const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content));
    const hash = Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
    return ctx.storage.sql.exec("SELECT 1 FROM tenrec_blobs WHERE hash = ?", hash).toArray().length > 0;
  });
}

test("a session that is deleted takes along its rows, its files and their content, and nothing that others have", async () => {
  const agent = await withAgent({
    says: [[write("own.txt", "only here")], [{ call: "bash", input: { command: "seq 1 9000" } }], [{ text: "Done." }]],
  });
  await agent.write("/shared.txt", "shared");
  await agent.inside(async (a) => {
    a.sessions.create({ id: "t", filesFrom: "s" });
    await a.sessions.submit("t", "go", { operationId: "op" });
    await until(() => a.sessions.status("t", "op").status === "done");
    // A body longer than a row.
    a.workspace.journal.append("t", [{ type: "reset", handoff: "x".repeat(600_000) }]);
  });
  const before = await rowsOf(agent, "t");
  expect(Object.entries(before).filter(([, rows]) => rows === 0)).toEqual([]);
  const fork = await agent.inside((a) => a.sessions.fork("t").id);
  await agent.inside((a) => a.sessions.delete("t"));
  expect(await rowsOf(agent, "t")).toEqual(NONE);
  await agent.inside((a) => {
    expect(() => a.sessions.get("t")).toThrow(expect.objectContaining({ code: "session-not-found" }));
    expect(a.sessions.list().map(({ id }) => id)).not.toContain("t");
    // Its fork is whole, and is nobody's child any more.
    expect(a.sessions.get(fork)).not.toHaveProperty("parent");
    expect(() => a.workspace.trees.head("session/t")).toThrow(expect.objectContaining({ code: "tree-not-found" }));
  });
  await sweep(agent);
  expect([await isStored(agent, "only here"), await isStored(agent, "shared")]).toEqual([true, true]);
  const output = await agent.inside(async ({ workspace: { trees } }) => {
    // One that stays open would keep its content.
    using overlay = trees.overlay(trees.head(`session/${fork}`));
    return await overlay.readFile("/own.txt");
  });
  expect(output).toBe("only here");
  expect(await rowsOf(agent, fork)).toMatchObject({ outputs: before["outputs"] });
  await agent.inside((a) => a.sessions.delete(fork));
  await sweep(agent);
  expect([await isStored(agent, "only here"), await isStored(agent, "shared")]).toEqual([false, true]);
  // The id is free again.
  expect(await agent.inside((a) => a.sessions.create({ id: "t" }))).toMatchObject({ lastSeq: 0, state: "idle" });
});

test("what a crash left of a deleted session is deleted later, and until then its id is not free", async () => {
  // A maintenance comes ten minutes after it was planned: by this clock, at once.
  const clock = { now: () => systemClock.now() - 10 * 60_000, sleep: systemClock.sleep };
  const agent = await withAgent({ says: [[{ text: "Done." }]], clock });
  await agent.inside(async (a) => {
    a.sessions.create({ id: "t" });
    const resets = Array.from({ length: 450 }, () => ({ type: "reset" }) as const);
    a.workspace.journal.append("t", resets);
    const { storage } = a.workspace;
    let commits = 0;
    const dying: StorageLike = {
      sql: storage.sql,
      transactionSync: (fn) => {
        commits += 1;
        // It is marked, and one piece of its rows is gone.
        if (commits > 2) throw new Error("killed");
        return storage.transactionSync(fn);
      },
    };
    await expect(deleteSession({ ...a.workspace, storage: dying }, "t")).rejects.toThrow("killed");
    await a.ctx.storage.sync();
  });
  await abortAllDurableObjects();
  const left = await rowsOf(agent, "t");
  expect(left).toMatchObject({ sessions: 0 });
  expect(left["events"]).toBe(350);
  await agent.inside(async (a) => {
    expect(() => a.sessions.create({ id: "t" })).toThrow(expect.objectContaining({ code: "session-busy" }));
    expect(a.sessions.list().map(({ id }) => id)).toEqual(["s"]);
  });
  // Work is followed by a maintenance.
  await agent.submit("go");
  await until(async () => (await rowsOf(agent, "t"))["events"] === 0);
  expect(await rowsOf(agent, "t")).toEqual(NONE);
  expect(await agent.inside((a) => a.sessions.create({ id: "t" }))).toMatchObject({ lastSeq: 0 });
});

test("a turn that runs is stopped, who waits is told, and the other sessions go on", async () => {
  const agent = await withAgent({ says: [[{ text: "wait" }, { delay: 3000 }, { text: "Done." }]] });
  await agent.inside((a) => a.sessions.create({ id: "t" }));
  await agent.submit("go", "a");
  await agent.inside(async (a) => {
    await a.sessions.submit("t", "go", { operationId: "b" });
    await until(() => a.workspace.journal.events("t").some((e) => e.type === "step-start"));
    const { waitFor } = await import("./wait.ts");
    const waiting = waitFor(a.workspace, a.sessions, "t", "b", 20_000).catch((error: unknown) => error);
    await a.sessions.delete("t");
    expect(await waiting).toMatchObject({ code: "session-not-found" });
    await expect(a.sessions.submit("t", "more")).rejects.toMatchObject({ code: "session-not-found" });
    expect(a.workspace.deltas.open("t")).toEqual([]);
  });
  expect(await agent.settle("a")).toMatchObject({ status: "done" });
  expect(await rowsOf(agent, "t")).toEqual(NONE);
  // The slice ends as done: no retry is due.
  await until(() => agent.inside((a) => !a.lifecycle.jobs.list().some(({ fn }) => fn === "drive")));
});

test("watchers are refused, and a client's watch ends with the reason", async () => {
  const { agent, session } = await agentOf("deleted-while-watched", []);
  const socket = await watch("deleted-while-watched", `session=${session.id}`);
  await socket.until((frame) => frame.type === "snapshot");
  await session.delete();
  await socket.until((frame) => frame.type === "refusal" && frame.error.code === "session-not-found");
  expect(await socket.closed).toBe(4400);
  await expect(session.info()).rejects.toMatchObject({ code: "session-not-found" });
  await expect(session.delete()).rejects.toMatchObject({ code: "session-not-found" });
  expect(await agent.sessions.list()).toEqual([]);
  expect(await insideOf("deleted-while-watched", (a) => a.workspace.journal.sessions())).toEqual([]);
});
