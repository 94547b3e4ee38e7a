import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { SessionClient } from "@tenrec/runtime/client";
import { describe, expect, test } from "vitest";
import { lastObject, sessionOf, submit, worker, write } from "./with-agent.ts";
import { wrangler } from "./with-wrangler.ts";

/** An app with sockets of its Worker and of its objects, with streams, and with data of all kinds. */
const SOURCE = `import { DurableObject } from "cloudflare:workers";
export class Room extends DurableObject {
  fetch() {
    const [client, server] = Object.values(new WebSocketPair());
    this.ctx.acceptWebSocket(server);
    return new Response(null, { status: 101, webSocket: client });
  }
  webSocketMessage(socket, message) {
    if (message === "leave") socket.close(4001, "left");
    else socket.send(typeof message === "string" ? "echo " + message : message);
  }
  webSocketClose(socket, code, reason) { this.ctx.storage.kv.put("closed", [code, reason]); }
  closed() { return this.ctx.storage.kv.get("closed") ?? []; }
  async count() {
    await this.ctx.storage.setAlarm(Date.now() + 3_600_000);
    const n = (this.ctx.storage.kv.get("n") ?? 0) + 1;
    this.ctx.storage.kv.put("n", n);
    return n;
  }
  alarm() {}
}
export default { async fetch(request, env, ctx) {
  const { pathname } = new URL(request.url);
  const room = env.ROOM.getByName("a");
  if (pathname === "/room") return room.fetch(request);
  if (pathname === "/closed") return Response.json(await room.closed());
  if (pathname === "/worker") {
    const [client, server] = Object.values(new WebSocketPair());
    server.accept();
    server.addEventListener("message", ({ data }) => server.send("worker " + data));
    return new Response(null, { status: 101, webSocket: client });
  }
  if (pathname === "/flood") {
    const [client, server] = Object.values(new WebSocketPair());
    server.accept();
    const flood = async () => {
      for (let i = 0; i < 100; i++) { server.send(new Uint8Array(1_000_000)); await scheduler.wait(1); }
    };
    ctx.waitUntil(flood().then(() => server.close(1000, "all")));
    return new Response(null, { status: 101, webSocket: client });
  }
  if (pathname === "/events") {
    let timer;
    return new Response(new ReadableStream({
      start(controller) { timer = setInterval(() => controller.enqueue(new TextEncoder().encode("data: 1\\n\\n")), 10); },
      cancel() { clearInterval(timer); },
    }), { headers: { "content-type": "text/event-stream" } });
  }
  const add = async (n) => Number(n ?? 0) + 1;
  const kv = await add(await env.KV.get("n")); await env.KV.put("n", String(kv));
  const r2 = await add(await (await env.R2.get("n"))?.text()); await env.R2.put("n", String(r2));
  await env.DB.exec("CREATE TABLE IF NOT EXISTS t (n)");
  await env.DB.prepare("INSERT INTO t VALUES (1)").run();
  const d1 = (await env.DB.prepare("SELECT count(*) AS n FROM t").first()).n;
  return Response.json([kv, r2, d1, await room.count()]);
} };`;
const CONFIG = wrangler({
  durable_objects: { bindings: [{ name: "ROOM", class_name: "Room" }] },
  kv_namespaces: [{ binding: "KV" }],
  r2_buckets: [{ binding: "R2", bucket_name: "b" }],
  d1_databases: [{ binding: "DB", database_name: "d" }],
});

async function madeSession(): Promise<SessionClient> {
  const session = await sessionOf([
    { say: [write("wrangler.json", CONFIG), write("src/index.ts", SOURCE)] },
    { say: [{ text: "made" }] },
  ]);
  await submit(session, "make it");
  return session;
}

interface Opened {
  readonly socket: WebSocket;
  readonly said: unknown[];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

async function openSocket(url: string): Promise<Opened> {
  const { webSocket: socket } = await worker.fetch(new Request(url, { headers: { upgrade: "websocket" } }));
  if (!socket) throw new Error("no socket");
  const said: unknown[] = [];
  socket.binaryType = "arraybuffer";
  socket.addEventListener("message", ({ data }) => void said.push(data));
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.addEventListener("close", ({ code, reason }) => resolve({ code, reason })),
  );
  socket.accept();
  return { socket, said, closed };
}

const get = async (url: string): Promise<unknown> => (await worker.fetch(new Request(url))).json();

/** Makes all links of the session's object as old as they may get, and wakes the object for that. */
async function expireLinks(): Promise<void> {
  const object = env.TestAgent.getByName(lastObject());
  await runInDurableObject(object, async (_, { storage }) => {
    storage.sql.exec("UPDATE tenrec_preview_links SET expires = 1");
    storage.sql.exec("UPDATE cf_agents_jobs SET time = 1 WHERE id = 'preview-links'");
    await storage.setAlarm(Date.now() + 60_000);
  });
  await runDurableObjectAlarm(object);
}

const ended = { code: 1008, reason: expect.stringContaining("revoked, or it has expired") };

const WAYS = [
  ["is revoked", (session: SessionClient): Promise<unknown> => session.revokePreview({ turn: 1 })],
  ["has expired", expireLinks],
] as const;

describe("when a link", () => {
  test.each(WAYS)("%s, the sockets and streams of its app end, and others do not", async (how, end) => {
    const session = await madeSession();
    const newest = await session.preview();
    const first = await session.preview({ turn: 1 });
    const rooms = [await openSocket(`${first.url}room`), await openSocket(`${first.url}worker`)];
    const other = await openSocket(`${newest.url}room`);
    for (const { socket, said } of rooms) {
      socket.send("hi");
      await expect.poll(() => said).toHaveLength(1);
    }
    const events = (await worker.fetch(new Request(`${first.url}events`))).body?.getReader();
    expect((await events?.read())?.done).toBe(false);
    await end(session);
    for (const { closed } of rooms) expect(await closed).toEqual(ended);
    await expect(
      (async () => {
        for (;;) await events?.read();
      })(),
    ).rejects.toThrow("revoked");
    expect((await worker.fetch(new Request(`${first.url}room`, { headers: { upgrade: "websocket" } }))).status).toBe(
      410,
    );
    if (how === "is revoked") {
      other.socket.send("still");
      await expect.poll(() => other.said).toEqual(["echo still"]);
      expect(await session.revokePreview()).toBe(1);
    }
    expect(await other.closed).toEqual(ended);
  });

  test.each(WAYS)("of a turn %s, what its app stored is gone", async (how, end) => {
    const session = await madeSession();
    const newest = await session.preview();
    const first = await session.preview({ turn: 1 });
    expect(await get(newest.url)).toEqual([1, 1, 1, 1]);
    expect(await get(first.url)).toEqual([1, 1, 1, 1]);
    expect(await get(first.url)).toEqual([2, 2, 2, 2]);
    const rows = async (): Promise<unknown> =>
      runInDurableObject(env.TestAgent.getByName(lastObject()), (_, { storage }) =>
        Object.fromEntries(
          ["links", "facets", "alarms"].map((table) => [
            table,
            storage.sql.exec(`SELECT count(*) AS n FROM tenrec_preview_${table}`).one()["n"],
          ]),
        ),
      );
    // The object, KV, R2 and D1 of each of both.
    expect(await rows()).toEqual({ links: 2, facets: 8, alarms: 2 });
    await end(session);
    expect(await rows()).toEqual({ links: how === "is revoked" ? 1 : 0, facets: 4, alarms: 1 });
    const again = await session.preview({ turn: 1 });
    expect(await get(again.url)).toEqual([1, 1, 1, 1]);
    expect(await get((await session.preview()).url)).toEqual([2, 2, 2, 2]);
    await session.delete();
    await expect.poll(rows).toEqual({ links: 0, facets: 0, alarms: 0 });
  });
});

describe("a socket of an app", () => {
  test("carries text, bytes and how it was closed, in both directions", async () => {
    const session = await madeSession();
    const { url } = await session.preview();
    const first = await openSocket(`${url}room`);
    first.socket.send("hi");
    first.socket.send(new Uint8Array([1, 2]));
    await expect.poll(() => first.said).toEqual(["echo hi", new Uint8Array([1, 2]).buffer]);
    first.socket.send("leave");
    expect(await first.closed).toEqual({ code: 4001, reason: "left" });
    const second = await openSocket(`${url}room`);
    second.socket.close(4002, "enough");
    await expect.poll(() => get(`${url}closed`)).toEqual([4002, "enough"]);
    const third = await openSocket(`${url}room`);
    third.socket.close();
    await expect.poll(() => get(`${url}closed`)).toEqual([1005, ""]);
  });

  test("is closed before it fills the memory of its agent", async () => {
    const session = await madeSession();
    const { url } = await session.preview();
    const { said, closed } = await openSocket(`${url}flood`);
    expect(await closed).toEqual({ code: 1008, reason: "Too much was sent at once." });
    expect(said.length).toBeLessThan(40);
  });
});

test("a host with capitals, a dot at its end and a port is the same one, for cookies and redirects too", async () => {
  const source = `export default { fetch(request) {
    const { pathname, origin } = new URL(request.url);
    if (pathname === "/away") return Response.redirect(origin.replace(/\\.(?=:|$)/, "") + "/there", 302);
    return new Response(request.headers.get("cookie"), { headers: { "set-cookie": "sid=1" } });
  } };`;
  const session = await sessionOf([
    { say: [write("wrangler.json", wrangler()), write("src/index.ts", source)] },
    { say: [{ text: "made" }] },
  ]);
  await submit(session, "make it");
  const { url, host = "" } = await session.preview();
  const same = host.replace("localhost:8787", "LOCALHOST.:9999");
  expect(same).not.toBe(host);
  const response = await worker.fetch(new Request(same, { headers: { cookie: "__Host-app-sid=1; other=2" } }));
  expect(await response.text()).toBe("sid=1");
  expect(response.headers.getSetCookie()).toEqual(["__Host-app-sid=1; Path=/; Secure"]);
  const away = await worker.fetch(new Request(`${url.replace("localhost", "localhost.")}away`, { redirect: "manual" }));
  expect(away.headers.get("location")).toBe(`${new URL(url).pathname}there`);
});
