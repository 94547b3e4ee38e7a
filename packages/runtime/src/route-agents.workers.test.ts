import type { WatchFrame } from "@tenrec/protocol";
import { describe, expect, test } from "vitest";
import { objectName } from "./access.ts";
import type { SessionClient } from "./client/index.ts";
import { agentOf, clientOf, insideOf, watch, worker } from "./with-worker.ts";

const BASE = "https://tenrec.test/agents/test-agent/shop";

function send(path: string, init: RequestInit = {}, token: string | undefined = "test-token"): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token !== undefined && !headers.has("authorization")) headers.set("authorization", `Bearer ${token}`);
  return worker.fetch(new Request(path.startsWith("http") ? path : `${BASE}/${path}`, { ...init, headers }));
}

async function code(response: Response): Promise<string> {
  return ((await response.json()) as { error: { code: string } }).error.code;
}

function client(workspace: string): Promise<SessionClient> {
  return clientOf(workspace, [
    { say: [{ call: "write", input: { path: "new.txt", content: "1\n" } }] },
    { say: [{ text: "All done." }] },
  ]);
}

/** Collects frames until one fits. */
async function watchUntil(
  workspace: string,
  query: string,
  fits: (frame: WatchFrame) => boolean,
): Promise<readonly WatchFrame[]> {
  const watching = await watch(workspace, query);
  await watching.until(fits);
  watching.close();
  return watching.frames;
}

describe("access", () => {
  test.each([
    ["no token", undefined, undefined],
    ["a wrong token", "wrong", undefined],
    ["another scheme", undefined, "Basic test-token"],
  ])("%s is refused with what to do, and no object is made", async (_name, token, authorization) => {
    const headers = authorization ? { authorization } : new Headers();
    const response = await worker.fetch(
      new Request(`${BASE}/api/sessions.list`, {
        method: "POST",
        headers: token ? { authorization: `Bearer ${token}` } : headers,
      }),
    );
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({
      error: { code: "unauthorized", message: "Not authorized: send the token as Authorization: Bearer <token>" },
    });
  });

  test.each([
    ["GET", "https://tenrec.test/", 404],
    ["GET", "https://tenrec.test/agents/test-agent/shop", 404],
    ["GET", "https://tenrec.test/agents/other-object/shop/tree", 404],
    ["POST", "https://tenrec.test/agents/test-agent/shop/sub/x/y", 404],
    ["POST", "https://tenrec.test/agents/test-agent/shop/get-messages", 404],
    ["POST", "https://tenrec.test/agents/test-agent/%ff/ticket", 404],
  ])("%s %s is not served", async (method, url, status) => {
    expect((await send(url, { method })).status).toBe(status);
  });

  test("another site's page is refused, the own one is not", async () => {
    const call = (origin: string): Promise<Response> =>
      send("api/sessions.list", { method: "POST", headers: { origin } });
    expect((await call("https://evil.test")).status).toBe(401);
    expect((await call("https://tenrec.test:8443")).status).toBe(401);
    expect((await call("null")).status).toBe(401);
    expect((await call("https://tenrec.test")).status).toBe(200);
    expect((await call("https://TENREC.test.:443")).status).toBe(200);
  });

  test("a ticket opens a socket of its workspace only, and nothing else", async () => {
    const { ticket } = (await (await send("ticket", { method: "POST" })).json()) as { ticket: string };
    const get = (path: string, t: string, headers: HeadersInit = { upgrade: "websocket" }): Promise<Response> =>
      worker.fetch(new Request(`${path}?session=x&ticket=${encodeURIComponent(t)}`, { headers }));
    expect((await get(`${BASE}/watch`, ticket)).status).toBe(101);
    expect((await get(`${BASE}x/watch`, ticket)).status).toBe(401);
    expect((await get(`${BASE}/watch`, ticket.replace(/^\d/, "9"))).status).toBe(401);
    expect((await get(`${BASE}/watch`, "nonsense")).status).toBe(401);
    expect((await get(`${BASE}/tree`, ticket, {})).status).toBe(401);
  });

  test("object names cannot be computed without the secret and differ by user", async () => {
    const name = await objectName("secret", "owner", "Coder", "shop");
    expect(name).toMatch(/^[\w-]{43}$/);
    expect(await objectName("secret2", "owner", "Coder", "shop")).not.toBe(name);
    expect(await objectName("secret", "guest", "Coder", "shop")).not.toBe(name);
  });
});

describe("requests", () => {
  test.each([
    ["an unknown method", "api/sessions.explode", "{}", 400, "request-invalid"],
    ["a body that is no JSON", "api/sessions.create", "{", 400, "request-invalid"],
    ["missing parameters", "api/submit", "{}", 400, "request-invalid"],
    ["parameters too many", "api/sessions.list", '{"x":1}', 400, "request-invalid"],
    ["an unknown session", "api/sessions.get", '{"session":"x"}', 404, "session-not-found"],
    ["an empty prompt", "api/submit", '{"session":"x","input":""}', 400, "prompt-empty"],
  ])("%s", async (_name, path, body, status, expected) => {
    const response = await send(path, { method: "POST", body });
    expect(response.status).toBe(status);
    expect(await code(response)).toBe(expected);
  });

  test("a prompt above the limit is refused with its code, however large", async () => {
    const session = await client("big");
    await expect(session.submit("x".repeat(1024 * 1024))).rejects.toMatchObject({ code: "prompt-too-large" });
    await expect(session.submit("x".repeat(20 * 1024 * 1024))).rejects.toMatchObject({ code: "prompt-too-large" });
    expect(await session.history()).toHaveLength(1);
  });
});

describe("the client", () => {
  test("tells what the workspace stores", async () => {
    const { agent, session } = await agentOf("meter", [
      { say: [{ call: "write", input: { path: "new.txt", content: "12345" } }] },
      { say: [{ text: "Done." }] },
    ]);
    await session.submit("go", { operationId: "one" });
    await session.wait("one");
    const usage = await agent.usage();
    expect(usage).toMatchObject({ blobs: { rows: 1, bytes: 5 }, nodes: { rows: 1 }, heads: 1 });
    expect(usage.database).toBeGreaterThan(4096);
  });

  test("submits, waits, reads history, files and diff", async () => {
    const session = await client("whole");
    expect(await session.submit("go", { operationId: "one" })).toMatchObject({ accepted: true });
    expect(await session.submit("go", { operationId: "one" })).toMatchObject({ accepted: false });
    await expect(session.submit("other", { operationId: "one" })).rejects.toMatchObject({ code: "operation-conflict" });
    expect(await session.wait("one")).toMatchObject({ status: "done", text: "All done." });
    expect(await session.files.list()).toEqual([{ path: "/new.txt", kind: "file", size: 2 }]);
    expect(await session.files.read("/new.txt")).toMatchObject({ text: "1\n", binary: false });
    await expect(session.files.read("/x")).rejects.toMatchObject({ code: "ENOENT" });
    expect(await session.files.diff()).toMatchObject([{ path: "/new.txt", change: "create", added: 1, removed: 0 }]);
    expect(await session.files.diff(1)).toHaveLength(1);
    await expect(session.files.diff(2)).rejects.toMatchObject({ code: "request-invalid" });
    expect((await session.history()).at(-1)).toMatchObject({ type: "turn-end", reason: "done" });
    expect(await session.info()).toMatchObject({ title: "Test", state: "idle" });
    expect(await session.abort()).toBe(false);
  });

  test("reads a history that is longer than one answer", async () => {
    const session = await client("long");
    const change = { type: "session-change", title: "t" } as const;
    await insideOf("long", (a) =>
      a.workspace.journal.append(
        session.id,
        Array.from({ length: 1500 }, () => change),
      ),
    );
    const history = await session.history();
    expect(history.map((event) => event.seq)).toEqual(Array.from({ length: 1501 }, (_, i) => i + 1));
  });

  test.each(["tar", "tar.gz", "zip"] as const)("carries a folder in and out as %s", async (format) => {
    const session = await client(format);
    await session.submit("go", { operationId: "one" });
    await session.wait("one");
    const exported = await session.files.export(format);
    const other = await client(`${format}-copy`);
    expect(await other.files.import(exported)).toMatchObject({ files: 1 });
    expect(await other.files.read("/new.txt")).toMatchObject({ text: "1\n" });
  });

  test("refuses another format, and what is no archive, with nothing changed", async () => {
    const session = await client("no-archive");
    await expect(session.files.export("rar" as "zip")).rejects.toMatchObject({ code: "request-invalid" });
    await expect(session.files.import(new Blob(["plain text"]).stream())).rejects.toMatchObject({ code: "EINVAL" });
    expect(await session.files.list()).toEqual([]);
  });
});

describe("a watcher", () => {
  const ended = (frame: WatchFrame): boolean => frame.type === "event" && frame.event.type === "turn-end";
  const durable = (frames: readonly WatchFrame[]): number[] =>
    frames.flatMap((f) => (f.type === "event" && "seq" in f.event ? [f.event.seq] : []));

  test("gets the snapshot, then every event once, in order, with deltas between them", async () => {
    const session = await client("watch");
    const watching = await watch("watch", `session=${session.id}&after=0`);
    await session.submit("go");
    await watching.until(ended);
    const { frames } = watching;
    expect(frames[0]).toMatchObject({ type: "snapshot", snapshot: { session: { id: session.id } } });
    const seqs = durable(frames);
    expect(seqs).toEqual(seqs.map((_, i) => i + 1));
    expect(frames.some((f) => f.type === "event" && f.event.type === "text-delta")).toBe(true);
  });

  test("that comes back with its last seq misses nothing and gets nothing twice", async () => {
    const session = await client("again");
    await session.submit("go", { operationId: "one" });
    await session.wait("one");
    const all = durable(await watchUntil("again", `session=${session.id}&after=0`, ended));
    const rest = durable(await watchUntil("again", `session=${session.id}&after=3`, ended));
    expect(rest).toEqual(all.filter((seq) => seq > 3));
  });

  test("two at once see the same", async () => {
    const session = await client("both");
    const [a, b] = [1, 2].map(() => watchUntil("both", `session=${session.id}`, ended));
    await session.submit("go");
    expect(durable((await a) ?? [])).toEqual(durable((await b) ?? []));
  });

  test("of an unknown session is told so", async () => {
    const watching = await watch("none", "session=nope");
    expect(await watching.closed).toBe(4400);
    expect(watching.frames).toMatchObject([{ type: "refusal", error: { code: "session-not-found" } }]);
  });

  test("does not keep the object awake or reach its other handlers", async () => {
    const session = await client("quiet");
    await watchUntil("quiet", `session=${session.id}`, () => true);
    await insideOf("quiet", (agent) => {
      expect([...agent.getConnections()]).toEqual([]);
    });
  });
});
