import type { ScriptPart } from "@tenrec/testkit";
import { abortAllDurableObjects } from "cloudflare:test";
import { expect, inject, test } from "vitest";
import { fromLines } from "./golden/with-reading.ts";
import { withTraits } from "./index.ts";
import { Journal } from "./journal.ts";
import { Watcher } from "./simulation/with-watcher.ts";
import { last, pause, until, withAgent } from "./with-agent.ts";
import { counted, settleThroughKills } from "./with-kill.ts";
import { clientOf, insideOf, watch } from "./with-worker.ts";
import { requests } from "../vitest.worker.ts";
import { MAIN_HEAD } from "./workspace.ts";

const write = { call: "write", input: { path: "a.txt", content: "x" } };
const done: readonly ScriptPart[] = [{ text: "Done." }];

test("K5, K22 in the middle of a text: it is said anew, and a client that comes back sees all of it once", async () => {
  const say = [{ text: "The quick brown " }, { delay: 600 }, { text: "fox jumps." }];
  const session = await clientOf("killed-mid-text", [{ say }]);
  const watcher = new Watcher(session.id);
  const first = await watch("killed-mid-text", `session=${session.id}`);
  await session.submit("go", { operationId: "op" });
  await first.until(
    (frame) => frame.type === "event" && frame.event.type === "text-delta" && frame.event.text.includes("brown"),
  );
  await abortAllDurableObjects();
  watcher.receive(JSON.stringify(first.frames));
  watcher.disconnected();
  const second = await watch("killed-mid-text", `session=${session.id}&after=${watcher.after}`);
  await second.until((frame) => frame.type === "event" && frame.event.type === "turn-end");
  watcher.receive(JSON.stringify(second.frames));
  expect(watcher.violations).toEqual([]);
  const events = await insideOf("killed-mid-text", (a) => a.sessions.history(session.id));
  expect(watcher.seen).toEqual(events);
  expect(last(events, "turn-end")).toMatchObject({ text: "The quick brown fox jumps." });
  expect(events.flatMap((e) => (e.type === "step-start" ? [e.attempt] : []))).toEqual([1, 2]);
});

test.each(inject("goldenJournals"))(
  "K23 %s of the journal: new code goes on in a turn of it",
  async (_version, lines) => {
    const { version, events } = fromLines(lines);
    const step = events.findIndex(({ type }) => type === "step-end");
    const agent = await withAgent({ says: [[], done] });
    const { name } = agent;
    await agent.inside(({ workspace: { journal }, ctx: { storage } }) => {
      journal.createSession("older", MAIN_HEAD);
      storage.sql.exec("UPDATE tenrec_sessions SET journal_version = ? WHERE id = 'older'", version);
      for (const { session: _session, seq, at, ...body } of events.slice(0, step + 1)) {
        const text = JSON.stringify(body).replaceAll("scripted/model", `scripted/${name}`);
        storage.sql.exec("INSERT INTO tenrec_events VALUES ('older', ?, ?, 1, ?)", seq, at, text);
      }
      return storage.sync();
    });
    await abortAllDurableObjects();
    const now = (): Promise<readonly { type: string }[]> => agent.inside((a) => a.sessions.history("older"));
    await until(async () => (await now()).some(({ type }) => type === "turn-end"), 10_000);
    expect(await agent.read("/notes.txt")).toBe("one\ntwo\n");
    const all = await now();
    expect(all.slice(0, step + 1).map(({ type }) => type)).toEqual(events.slice(0, step + 1).map(({ type }) => type));
    expect(all.filter(({ type }) => type === "tool-result")).toHaveLength(1);
  },
);

test("K27 an instance that was replaced and runs on has no more effects, and writes nothing", async () => {
  const runs: string[] = [];
  const released = Promise.withResolvers<void>();
  const before = requests.length;
  const agent = await withAgent({
    says: [
      [
        { call: "hold", input: {} },
        { call: "deploy", input: {} },
      ],
      done,
    ],
    setup: (a) => {
      const hold = withTraits(
        counted(runs, "hold", () => released.promise),
        { replay: "pure", permission: "read" },
      );
      const deploy = withTraits(counted(runs, "deploy"), { replay: "unsafe", permission: "edit" });
      a.tools = (base) => ({ ...base, hold, deploy });
    },
  });
  await agent.submit("go");
  await until(() => runs.length === 1);
  const events = await agent.events();
  // What a new instance does first, here on the same storage, which still takes what the old one writes.
  await agent.inside((a) => new Journal(a.ctx.storage, Date.now).claim());
  released.resolve();
  await pause(200);
  expect(runs).toEqual(["hold"]);
  expect(requests.length - before).toBe(1);
  expect(await agent.events()).toEqual(events);
  await abortAllDurableObjects();
  // The old one could put the job off, which it could not with the storage of a real one that was replaced.
  await agent.submit("go on", "next");
  expect(await settleThroughKills(agent)).toMatchObject({ status: "done" });
  expect(runs).toEqual(["hold", "hold", "deploy"]);
});

test("K28 a full storage while a result is stored changes nothing, and the call runs when there is room", async () => {
  const agent = await withAgent({ says: [[write], done, done] });
  let tries = 0;
  await agent.inside((a) => {
    const { sql } = a.ctx.storage;
    sql.exec(`CREATE TRIGGER full BEFORE INSERT ON tenrec_events WHEN NEW.body LIKE '{"type":"tool-result"%'
      OR NEW.body LIKE '{"type":"turn-end"%' BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`);
    const { journal } = a.workspace;
    const insert = journal.write.bind(journal);
    journal.write = (session, bodies) => {
      if (bodies.some(({ type }) => type === "tool-result")) tries += 1;
      return insert(session, bodies);
    };
  });
  await agent.submit("go");
  await until(() => tries > 0);
  await pause(200);
  expect(tries).toBeLessThan(10);
  await expect(agent.read("/a.txt")).rejects.toMatchObject({ code: "ENOENT" });
  expect((await agent.events()).some((e) => e.type === "file-change")).toBe(false);
  await agent.inside((a) => {
    a.ctx.storage.sql.exec("DROP TRIGGER full");
  });
  await agent.submit("go on", "next");
  expect(await settleThroughKills(agent, "next")).toMatchObject({ status: "done" });
  expect(await agent.read("/a.txt")).toBe("x");
  expect((await agent.events()).filter((e) => e.type === "file-change")).toHaveLength(1);
});

test("K28 with the storage full: a prompt is refused, and a turn runs when there is room", async () => {
  const agent = await withAgent({ says: [[write], done] });
  const tables = ["events", "sessions", "instance", "operations", "blobs", "nodes", "heads", "spent"];
  await agent.inside(({ ctx: { storage }, workspace: { journal } }) => {
    journal.listen((events) => {
      if (!events.some(({ type }) => type === "input")) return;
      for (const table of tables) {
        const refuse = "BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END";
        storage.sql.exec(`CREATE TRIGGER full_i_${table} BEFORE INSERT ON tenrec_${table} ${refuse}`);
        storage.sql.exec(`CREATE TRIGGER full_u_${table} BEFORE UPDATE ON tenrec_${table} ${refuse}`);
      }
    });
  });
  await agent.submit("go");
  await agent.inside((a) => a.ctx.storage.sync());
  // The next instance cannot even claim the journal.
  await abortAllDurableObjects();
  const full = { code: "ENOSPC", message: expect.stringContaining("No space left") };
  await expect(agent.submit("again", "refused")).rejects.toMatchObject(full);
  await agent.inside((a) => expect(() => a.workspace.journal.requireClaim()).toThrow("No space left"));
  expect(await agent.inside((a) => a.sessions.status("s", "op"))).toMatchObject({ status: "queued" });
  expect((await agent.events()).map(({ type }) => type)).toEqual(["input"]);
  await agent.inside(({ ctx: { storage } }) => {
    for (const table of tables) for (const kind of ["i", "u"]) storage.sql.exec(`DROP TRIGGER full_${kind}_${table}`);
  });
  await agent.submit("go");
  expect(await settleThroughKills(agent)).toMatchObject({ status: "done" });
  expect(await agent.read("/a.txt")).toBe("x");
  // It has made up for its claim: what comes after fences it off.
  await agent.inside(({ ctx: { storage }, workspace: { journal } }) => {
    new Journal(storage, Date.now).claim();
    expect(() => journal.assertCurrent()).toThrow("a newer instance");
  });
});
