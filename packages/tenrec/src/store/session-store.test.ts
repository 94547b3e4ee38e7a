import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type NewSession, openSessionStore, type SessionStore } from "./session-store.ts";

let folder: string;
let sessions: string;
let time: number;
let store: SessionStore;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), "tenrec-store-")), "data");
  sessions = join(folder, "sessions");
  time = 1000;
  store = openSessionStore(folder, { now: () => time++ });
});
afterEach(() => rm(join(folder, ".."), { recursive: true }));

function session(id: string): NewSession {
  const entry = { kind: "file", mode: 0o644, size: 1, sha256: "00" } as const;
  return { id, dir: "/w", title: "Title é", model: "scripted", base: { entries: { "/a": entry } } };
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

describe("SessionStore", () => {
  test("a record goes round", async () => {
    expect(await store.list()).toEqual({ sessions: [], unreadable: [] });
    const a = await store.create(session("a1"));
    expect(a).toEqual({ ...session("a1"), createdAt: 1000, updatedAt: 1000 });
    const b = await store.create(session("b2"));
    expect(await store.get("a1")).toEqual(a);
    expect((await store.list()).sessions).toEqual([b, a]);
    const changed = await store.update("a1", { title: "New", base: { entries: {} } });
    expect(changed).toEqual({ ...a, title: "New", base: { entries: {} }, updatedAt: 1002 });
    expect(await store.get("a1")).toEqual(changed);
    expect((await store.list()).sessions).toEqual([changed, b]);
    expect(await store.remove("a1")).toBe("a1");
    await expect(store.get("a1")).rejects.toMatchObject({ code: "session-not-found", data: { session: "a1" } });
    expect((await readdir(sessions)).sort()).toEqual(["b2.json"]);
  });

  test("only its owner can read it", async () => {
    await store.create(session("a1"));
    await store.update("a1", { title: "x" });
    expect([await modeOf(folder), await modeOf(sessions)]).toEqual([0o700, 0o700]);
    expect(await modeOf(join(sessions, "a1.json"))).toBe(0o600);
  });

  test("an id is taken once", async () => {
    await store.create(session("a1"));
    await expect(store.create({ ...session("a1"), title: "other" })).rejects.toMatchObject({ code: "EEXIST" });
    expect((await store.get("a1")).title).toBe("Title é");
    expect(await readdir(sessions)).toEqual(["a1.json"]);
  });

  test("the beginning of an id is enough when it is the only one", async () => {
    for (const id of ["3f2a", "3f2b", "4", "42"]) await store.create(session(id));
    expect((await store.get("3f2a")).id).toBe("3f2a");
    expect((await store.get("4")).id).toBe("4");
    expect((await store.update("3f2b", { model: "m" })).id).toBe("3f2b");
    await expect(store.get("3f")).rejects.toMatchObject({
      code: "session-ambiguous",
      data: { prefix: "3f", candidates: ["3f2a", "3f2b"] },
      message: 'Several sessions begin with "3f": 3f2a, 3f2b. Give more of the id.',
    });
    await expect(store.remove("3")).rejects.toMatchObject({ code: "session-ambiguous" });
    await expect(store.get("5")).rejects.toMatchObject({ code: "session-not-found" });
    expect(await store.remove("3f2a")).toBe("3f2a");
    expect((await store.get("3f")).id).toBe("3f2b");
  });

  test.each(["", ".", "..", "../x", "a/b", "a\\b", "a\0", ".hidden", "a.json", "-rf", "é", "x".repeat(65)])(
    "%j is no id",
    async (id) => {
      await expect(store.get(id)).rejects.toMatchObject({ code: "EINVAL" });
      await expect(store.remove(id)).rejects.toMatchObject({ code: "EINVAL" });
      await expect(store.update(id, {})).rejects.toMatchObject({ code: "EINVAL" });
      await expect(store.create(session(id))).rejects.toMatchObject({ code: "EINVAL" });
    },
  );

  test.each<[string, string, string]>([
    ["cut off", '{"format":1,"id":"bad', "it is damaged: not JSON"],
    ["empty", "", "it is damaged: not JSON"],
    ["of another kind", "[]", "it is damaged: no record of a session"],
    ["without fields", '{"format":1,"id":"bad"}', "it is damaged: fields are missing"],
    ["newer", '{"format":2,"id":"bad"}', "a newer Tenrec wrote it (format 2): update Tenrec to use it"],
    [
      "of another id",
      JSON.stringify({ format: 1, ...session("a1"), createdAt: 1, updatedAt: 1 }),
      "fields are missing",
    ],
    [
      "with a bad base",
      JSON.stringify({ format: 1, ...session("bad"), createdAt: 1, updatedAt: 1, base: { entries: { a: 1 } } }),
      "fields are missing",
    ],
  ])("a file that is %s is reported, kept, and can be removed", async (_, content, reason) => {
    const good = await store.create(session("a1"));
    const path = join(sessions, "bad.json");
    await writeFile(path, content);
    expect(await store.list()).toEqual({
      sessions: [good],
      unreadable: [{ id: "bad", file: path, reason: expect.stringContaining(reason) as string }],
    });
    await expect(store.get("bad")).rejects.toMatchObject({ code: "EIO", data: { path } });
    await expect(store.update("b", { title: "x" })).rejects.toMatchObject({ code: "EIO" });
    expect(await readFile(path, "utf8")).toBe(content);
    await store.remove("bad");
    expect(await store.list()).toEqual({ sessions: [good], unreadable: [] });
  });

  test("what another version added to a record stays", async () => {
    await store.create(session("a1"));
    const path = join(sessions, "a1.json");
    const record = JSON.parse(await readFile(path, "utf8")) as object;
    await writeFile(path, JSON.stringify({ ...record, later: [1] }));
    await store.update("a1", { title: "x" });
    expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ title: "x", later: [1] });
  });

  test("the lock of a process that died is taken over", async () => {
    await store.create(session("a1"));
    await writeFile(join(sessions, "a1.lock"), "999999999 x");
    await store.update("a1", { title: "x" });
    expect(await readdir(sessions)).toEqual(["a1.json"]);
  });
});

const CHILD = `
const { openSessionStore } = await import(process.env.STORE_URL);
const store = openSessionStore(process.env.STORE_FOLDER, { now: Date.now });
const won = await store.create(JSON.parse(process.env.STORE_NEW)).then(() => "won", (error) => error.code);
for (let i = 0; i < 40; i++) {
  const { title } = await store.get("a1");
  await store.update("a1", process.argv[1] === "0" ? { title: title + "." } : { model: "m" + i });
  await store.list();
}
console.log(won);
`;

test("several processes at once neither damage a record nor lose a change", { timeout: 60_000 }, async () => {
  const env = {
    ...process.env,
    NODE_NO_WARNINGS: "1",
    STORE_URL: new URL("session-store.ts", import.meta.url).href,
    STORE_FOLDER: folder,
    STORE_NEW: JSON.stringify({ ...session("a1"), title: "" }),
  };
  const outputs = await Promise.all(
    ["0", "1", "2"].map(async (number) => {
      const args = ["--conditions=tenrec-source", "--input-type=module", "-e", CHILD, number];
      const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
      let output = "";
      child.stdout.setEncoding("utf8").on("data", (piece: string) => (output += piece));
      await once(child, "close");
      return output.trim();
    }),
  );
  expect(outputs.sort()).toEqual(["EEXIST", "EEXIST", "won"]);
  const record = await store.get("a1");
  expect([record.title, record.model]).toEqual([".".repeat(40), "m39"]);
  expect(await readdir(sessions)).toEqual(["a1.json"]);
});
