import { abortAllDurableObjects, evictDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { routePreviews } from "@tenrec/runtime";
import { connect, type SessionClient } from "@tenrec/runtime/client";
import type { ScriptPart, ScriptStep } from "@tenrec/testkit";
import { describe, expect, test } from "vitest";
import { objectName } from "../../runtime/src/access.ts";
import { script } from "../vitest.agent.worker.ts";
import { wrangler } from "./with-wrangler.ts";

const worker = (exports as unknown as { default: { fetch(request: Request): Promise<Response> } }).default;

let count = 0;

/** A session of a new workspace whose model says this. */
async function sessionOf(steps: readonly ScriptStep[]): Promise<SessionClient> {
  count += 1;
  script.current = { model: "test", steps: [...steps] };
  const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> =>
    worker.fetch(new Request(input, init));
  const agent = connect(`http://localhost:8787/agents/test-agent/w${count}`, {
    token: "test-token",
    fetch: fetch as never,
  });
  return agent.sessions.create();
}

async function submit(session: SessionClient, text: string): Promise<void> {
  const { operationId } = await session.submit(text);
  const status = await session.wait(operationId);
  expect(status).toMatchObject({ status: "done" });
}

const write = (path: string, content: string | object): ScriptPart => ({
  call: "write",
  input: { path, content: typeof content === "string" ? content : JSON.stringify(content) },
});
const answers = (text: string): string => `export default { fetch: () => new Response(${JSON.stringify(text)}) };`;

describe("an agent with previews", () => {
  test("shows each edit at the same address, on both kinds of host", async () => {
    const session = await sessionOf([
      { say: [write("wrangler.json", wrangler()), write("src/index.ts", answers("first"))] },
      { say: [{ text: "made" }] },
      { say: [write("src/index.ts", answers("second"))] },
      { say: [{ text: "changed" }] },
    ]);
    const { url, host } = await session.preview();
    const get = async (base: string, path = ""): Promise<string> =>
      (await worker.fetch(new Request(base + path))).text();
    expect(await get(url)).toContain("No wrangler.jsonc");
    await submit(session, "make it");
    expect(await get(url)).toBe("first");
    expect(await get(host ?? "")).toBe("first");
    await submit(session, "change it");
    expect(await get(url)).toBe("second");
    expect(await get(host ?? "", "any/path?q")).toBe("second");
    expect((await session.preview()).url).toBe(url);
    expect(new URL(url).pathname).toMatch(/^\/previews\/[a-z2-7]+\/$/);
    expect(host).toMatch(/^http:\/\/[a-z2-7]{63}\.preview\.localhost:8787\/$/);
    await session.delete();
    expect((await worker.fetch(new Request(url))).status).toBe(410);
  });

  test("a model asks its app, and sees what went wrong", async () => {
    const source = `export default { fetch(request) {
  console.log("asked", request.method);
  if (request.method === "POST") throw new Error("boom");
  return Response.json({ ok: true });
} };`;
    const session = await sessionOf([
      { say: [write("wrangler.json", wrangler()), write("src/index.ts", source)] },
      { say: [{ call: "preview", input: { path: "/health" } }] },
      { say: [{ call: "preview", input: { path: "/items", method: "POST", body: "x" } }] },
      { say: [{ text: "done" }] },
    ]);
    await submit(session, "make it");
    const history = await session.history();
    const results = history.flatMap((event) =>
      event.type === "tool-result" && event.toolCallId.length > 0 ? [JSON.stringify(event)] : [],
    );
    expect(results.some((text) => text.includes("GET /health: 200") && text.includes(String.raw`{\"ok\":true}`))).toBe(
      true,
    );
    expect(results.some((text) => text.includes("Error: boom") && text.includes("src/index.ts:3:40"))).toBe(true);
    const told = history.filter(({ type }) => type === "preview");
    expect(told).toMatchObject([
      { kind: "exception", detail: { message: "boom", at: { path: "/src/index.ts", line: 3 } } },
      { kind: "request", detail: { path: "/items", status: 500 } },
    ]);
  });

  test("an app keeps data, sets alarms and takes sockets inside its agent, also after that died", async () => {
    const source = `import { DurableObject } from "cloudflare:workers";
export class Room extends DurableObject {
  async alarm() { await this.ctx.storage.put("rang", true); }
  async later() { await this.ctx.storage.setAlarm(Date.now() + 10); }
  async forget() { await this.ctx.storage.delete("rang"); await this.ctx.storage.setAlarm(Date.now() + 1000); }
  rang() { return this.ctx.storage.get("rang"); }
  fetch() { const [client, server] = Object.values(new WebSocketPair()); this.ctx.acceptWebSocket(server);
    return new Response(null, { status: 101, webSocket: client }); }
  webSocketMessage(socket, message) { socket.send("echo " + message); }
}
export default { async fetch(request, env) {
  const room = env.ROOM.getByName("a");
  const { pathname } = new URL(request.url);
  if (pathname === "/ws") return room.fetch(request);
  if (pathname === "/later") { await room.later(); return new Response("set"); }
  if (pathname === "/forget") { await room.forget(); return new Response("set"); }
  if (pathname === "/rang") return Response.json((await room.rang()) ?? false);
  await env.KV.put("n", String(Number((await env.KV.get("n")) ?? 0) + 1));
  return new Response(await env.KV.get("n"));
} };`;
    const config = wrangler({
      durable_objects: { bindings: [{ name: "ROOM", class_name: "Room" }] },
      kv_namespaces: [{ binding: "KV" }],
    });
    const session = await sessionOf([
      { say: [write("wrangler.json", config), write("src/index.ts", source)] },
      { say: [{ text: "made" }] },
    ]);
    await submit(session, "make it");
    const { url } = await session.preview();
    const get = async (path: string): Promise<string> => (await worker.fetch(new Request(url + path))).text();
    expect(await get("")).toBe("1");
    expect(await get("")).toBe("2");
    expect(await get("later")).toBe("set");
    await expect.poll(() => get("rang"), { timeout: 5000 }).toBe("true");
    const { webSocket } = await worker.fetch(new Request(`${url}ws`, { headers: { upgrade: "websocket" } }));
    if (!webSocket) throw new Error("no socket");
    webSocket.accept();
    const said = new Promise((resolve) => webSocket.addEventListener("message", ({ data }) => resolve(data)));
    webSocket.send("hi");
    expect(await said).toBe("echo hi");
    webSocket.close();
    await abortAllDurableObjects();
    expect(await get("")).toBe("3");
    expect(await get("forget")).toBe("set");
    await abortAllDurableObjects();
    await expect.poll(() => get("rang"), { timeout: 10_000 }).toBe("true");
  });
});

describe("a link", () => {
  test("of a turn shows the files as they were, with data of their own", async () => {
    const source = (name: string): string => `export default { async fetch(request, env) {
      const n = Number((await env.KV.get("n")) ?? 0) + 1;
      await env.KV.put("n", String(n));
      return new Response("${name} " + n);
    } };`;
    const session = await sessionOf([
      {
        say: [
          write("wrangler.json", wrangler({ kv_namespaces: [{ binding: "KV" }] })),
          write("src/index.ts", source("first")),
        ],
      },
      { say: [{ text: "made" }] },
      { say: [write("src/index.ts", source("second"))] },
      { say: [{ text: "changed" }] },
    ]);
    const get = async (url: string): Promise<string> => (await worker.fetch(new Request(url))).text();
    await expect(session.preview({ turn: 1 })).rejects.toMatchObject({ code: "point-not-found" });
    await submit(session, "make it");
    const newest = await session.preview();
    expect(await get(newest.url)).toBe("first 1");
    await submit(session, "change it");
    const first = await session.preview({ turn: 1 });
    expect(await session.preview({ turn: 1 })).toEqual(first);
    expect(await get(newest.url)).toBe("second 2");
    expect(await get(first.url)).toBe("first 1");
    expect(await get(first.host ?? "")).toBe("first 2");
    const second = await session.preview({ turn: 2 });
    expect(await get(second.url)).toBe("second 1");
    expect(new Set([newest, first, second].map(({ url }) => url)).size).toBe(3);
    await expect(session.preview({ turn: 3 })).rejects.toMatchObject({ code: "point-not-found" });
  });

  test("that was revoked says so, and its pages end", async () => {
    const session = await sessionOf([
      { say: [write("wrangler.json", wrangler()), write("src/index.ts", answers("here"))] },
      { say: [{ text: "made" }] },
    ]);
    await submit(session, "make it");
    const newest = await session.preview();
    const first = await session.preview({ turn: 1 });
    const socket = await openLive(newest.url);
    expect(await session.revokePreview({ turn: 1 })).toBe(1);
    const gone = await worker.fetch(new Request(first.url));
    expect(gone.status).toBe(410);
    expect(await gone.text()).toContain("was revoked");
    expect((await worker.fetch(new Request(newest.url))).status).toBe(200);
    expect(await session.revokePreview()).toBe(1);
    expect((await worker.fetch(new Request(newest.host ?? ""))).status).toBe(410);
    expect(await socket.closed).toBe(4410);
    const again = await session.preview();
    expect(again.url).not.toBe(newest.url);
    expect((await worker.fetch(new Request(again.url))).status).toBe(200);
    expect((await worker.fetch(new Request(newest.url))).status).toBe(410);
  });
});

interface Live {
  readonly socket: WebSocket;
  readonly said: string[];
  readonly closed: Promise<number>;
}

/** The socket of a page, as its script opens it. */
async function openLive(base: string): Promise<Live> {
  const request = new Request(`${base}@tenrec/live`, { headers: { upgrade: "websocket" } });
  const { webSocket } = await worker.fetch(request);
  if (!webSocket) throw new Error("no socket");
  const said: string[] = [];
  webSocket.addEventListener("message", ({ data }) => void said.push(String(data)));
  const closed = new Promise<number>((resolve) => webSocket.addEventListener("close", ({ code }) => resolve(code)));
  webSocket.accept();
  return { socket: webSocket, said, closed };
}

const PAGE = { headers: { accept: "text/html", "sec-fetch-dest": "document" } };

describe("a page", () => {
  const html = `<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="default-src 'self'"></head></html>`;
  const pages = `export default { fetch: () => new Response(${JSON.stringify(html)}, { headers: {
    "content-type": "text/html", etag: '"1"', "content-security-policy": "script-src 'self'" } }) };`;

  test("has a script that its policy lets run, and nothing else has one", async () => {
    const session = await sessionOf([
      { say: [write("wrangler.json", wrangler()), write("src/index.ts", pages)] },
      { say: [{ text: "made" }] },
    ]);
    await submit(session, "make it");
    const { url, host } = await session.preview();
    for (const base of [url, host ?? ""]) {
      const response = await worker.fetch(new Request(base, PAGE));
      const text = await response.text();
      const [, nonce = "", path = ""] =
        /<head><script nonce="(.+?)" data-tree="\w+" data-base="(.*?)">/.exec(text) ?? [];
      expect(path).toBe(new URL(base).pathname);
      expect(response.headers.get("content-security-policy")).toContain(`script-src 'self' 'nonce-${nonce}'`);
      expect(text).toContain(`script-src-elem &#39;self&#39; &#39;nonce-${nonce}&#39;`.replaceAll("&#39;", "'"));
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("etag")).toBeNull();
      expect(response.headers.get("tenrec-preview-tree")).toBeNull();
      for (const init of [{}, { headers: { "sec-fetch-dest": "empty" } }, { ...PAGE, method: "POST" }]) {
        expect(await (await worker.fetch(new Request(base, init))).text()).toBe(html);
      }
    }
    const { host: frozen } = await session.preview({ turn: 1 });
    expect(await (await worker.fetch(new Request(frozen ?? "", PAGE))).text()).toBe(html);
    expect((await worker.fetch(new Request(`${url}@tenrec/live`))).status).toBe(426);
  });

  test("is told of each edit, also after its agent died", async () => {
    const session = await sessionOf([
      { say: [write("wrangler.json", wrangler()), write("src/index.ts", pages)] },
      { say: [{ text: "made" }] },
      { say: [write("src/index.ts", `${pages}\n`)] },
      { say: [{ text: "changed" }] },
      { say: [write("src/index.ts", `${pages}\n\n`)] },
      { say: [{ text: "changed" }] },
    ]);
    await submit(session, "make it");
    const { url } = await session.preview();
    const first = await openLive(url);
    await expect.poll(() => first.said).toHaveLength(1);
    await submit(session, "change it");
    await expect.poll(() => new Set(first.said).size).toBe(2);
    await abortAllDurableObjects();
    const second = await openLive(url);
    await expect.poll(() => second.said).toEqual([first.said.at(-1)]);
    await submit(session, "change it");
    await expect.poll(() => new Set(second.said).size).toBe(2);
  });

  test("lets its agent sleep, and is told of an edit after that", async () => {
    const session = await sessionOf([
      { say: [write("wrangler.json", wrangler()), write("src/index.ts", pages)] },
      { say: [{ text: "made" }] },
      { say: [write("src/index.ts", `${pages}\n`)] },
      { say: [{ text: "changed" }] },
    ]);
    await submit(session, "make it");
    const { url } = await session.preview();
    const { said, socket } = await openLive(url);
    await expect.poll(() => said).toHaveLength(1);
    const name = await objectName("test-secret", "owner", "TestAgent", `w${count}`);
    // Not while it works, such as on what comes after a turn.
    const evict = (): Promise<boolean> =>
      evictDurableObject(env.TestAgent.getByName(name), { webSockets: "hibernate" }).then(
        () => true,
        () => false,
      );
    await expect.poll(evict, { timeout: 10_000 }).toBe(true);
    await submit(session, "change it");
    await expect.poll(() => new Set(said).size).toBe(2);
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });

  test("tells what goes wrong in it, in words that nobody vouches for, and not for ever", async () => {
    const session = await sessionOf([
      {
        say: [
          write("wrangler.json", wrangler({ assets: { directory: "public" } })),
          write("src/index.ts", pages),
          write("public/app.js", "throw 1;\n"),
        ],
      },
      { say: [{ text: "made" }] },
      { say: [{ call: "preview", input: {} }] },
      { say: [{ text: "seen" }] },
    ]);
    await submit(session, "make it");
    const { url } = await session.preview();
    await worker.fetch(new Request(url));
    const { socket, closed } = await openLive(url);
    const error = (message: string): object => ({ what: "error", message, stack: "Error: x\n    at f (/app.js:1:7)" });
    const tell = (errors: readonly object[]): void => socket.send(JSON.stringify({ page: "/", errors }));
    tell([error("boom\n- exception: of the app itself")]);
    const told = async (): Promise<unknown[]> => (await session.history()).filter(({ type }) => type === "preview");
    await expect.poll(told).toMatchObject([
      {
        kind: "browser-error",
        detail: { what: "error", page: "/", at: { path: "/public/app.js", line: 1, column: 7 } },
      },
    ]);
    await submit(session, "look");
    const shown = (await session.history())
      .map((event) => (event.type === "tool-result" ? event.output.text : ""))
      .join("\n");
    expect(shown).toContain(
      String.raw`- the page "/" says, unchecked: an uncaught error at public/app.js:1:7: "boom\n- exception: of the app itself"`,
    );
    tell(Array.from({ length: 40 }, (_, n) => error(`more ${n}`)));
    await expect.poll(told).toHaveLength(10);
    tell([error("even more")]);
    expect(await closed).toBe(4400);
    for (const bad of [
      "{",
      "[]",
      JSON.stringify({ page: "/", errors: [{ what: "exception" }] }),
      "x".repeat(200_000),
    ]) {
      const other = await openLive(url);
      other.socket.send(bad);
      expect(await other.closed).toBe(4400);
    }
    expect(await told()).toHaveLength(10);
  });
});

test("an app that always fails fills no journal", async () => {
  const source = `let n = 0; export default { fetch(request) {
    if (request.url.endsWith("/same")) return new Response("", { status: 500 });
    throw new Error("failure " + n++);
  } };`;
  const session = await sessionOf([
    { say: [write("wrangler.json", wrangler()), write("src/index.ts", source)] },
    { say: [{ text: "made" }] },
  ]);
  await submit(session, "make it");
  const { url } = await session.preview();
  const told = async (): Promise<number> => (await session.history()).filter(({ type }) => type === "preview").length;
  for (const _ of [1, 2, 3]) await worker.fetch(new Request(`${url}same`));
  expect(await told()).toBe(1);
  for (let n = 0; n < 30; n += 1) await worker.fetch(new Request(`${url}${n}`));
  expect(await told()).toBe(20);
});

describe("what passes between a browser and an app", () => {
  test("nothing of a person goes in but what the app itself gave, at a host of its own", async () => {
    const source = `export default { fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/away") return Response.redirect(new URL("/there?q#h", request.url), 302);
      const headers = { "set-cookie": "sid=1; Path=/x; Domain=localhost; HttpOnly" };
      return Response.json([request.url, Object.fromEntries(request.headers)], { headers });
    } };`;
    const session = await sessionOf([
      { say: [write("wrangler.json", wrangler()), write("src/index.ts", source)] },
      { say: [{ text: "made" }] },
    ]);
    await submit(session, "make it");
    const { url, host } = await session.preview();
    const headers = {
      cookie: "agent=1; __Host-app-sid=1; sid=2",
      authorization: "Bearer app-token",
      "tenrec-preview-link": "7",
      "x-own": "1",
    };
    const seenBy = async (base: string, more: Record<string, string> = {}): Promise<[unknown, Headers]> => {
      const response = await worker.fetch(new Request(`${base}x?y`, { headers: { ...headers, ...more } }));
      const [seen, names] = (await response.json()) as [string, unknown];
      expect(new URL(seen).pathname + new URL(seen).search).toBe("/x?y");
      return [names, response.headers];
    };
    const [below, opaque] = await seenBy(url);
    expect(below).toEqual({ "x-own": "1" });
    expect(opaque.get("set-cookie")).toBeNull();
    expect(opaque.get("content-security-policy")).toBe(SANDBOX);
    const [at, own] = await seenBy(host ?? "");
    expect(at).toEqual({ authorization: "Bearer app-token", cookie: "sid=1", "x-own": "1" });
    expect(own.getSetCookie()).toEqual(["__Host-app-sid=1; Path=/; Secure; HttpOnly"]);
    expect(own.get("content-security-policy")).toBeNull();
    expect(own.get("cross-origin-opener-policy")).toBe("same-origin-allow-popups");
    const [, framed] = await seenBy(host ?? "", { "sec-fetch-dest": "iframe" });
    expect(framed.get("content-security-policy")).toBe(`${SANDBOX} allow-same-origin`);
    expect(framed.get("cross-origin-opener-policy")).toBeNull();
    const away = await worker.fetch(new Request(`${url}away`, { redirect: "manual" }));
    expect(away.headers.get("location")).toBe(`${new URL(url).pathname}there?q#h`);
  });

  test("a Worker for previews shows, at its one host, what its own cookie chooses", async () => {
    const session = await sessionOf([
      { say: [write("wrangler.json", wrangler()), write("src/index.ts", answers("here"))] },
      { say: [{ text: "made" }] },
    ]);
    await submit(session, "make it");
    const { url } = await session.preview();
    const token = url.split("/").at(-2) ?? "";
    const origin = "https://preview.me.workers.dev";
    const previews = routePreviews<object>(["TestAgent"]);
    const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
      previews(new Request(origin + path, { headers }), { ...env, TENREC_PREVIEW_HOST: origin });
    expect((await get("/")).status).toBe(404);
    expect((await get(`/@tenrec/open/${token.replace(/^./, "-")}`)).status).toBe(404);
    const chosen = await get(`/@tenrec/open/${token}`);
    expect([chosen.status, chosen.headers.get("location")]).toEqual([303, "/"]);
    expect(chosen.headers.get("clear-site-data")).toBe('"cache", "storage"');
    const [given = "", ...attributes] = (chosen.headers.getSetCookie()[0] ?? "").split("; ");
    expect(attributes).toEqual(["Path=/", "Secure", "HttpOnly", "SameSite=Lax"]);
    const again = await get(`/@tenrec/open/${token}`, { cookie: given });
    expect(again.headers.get("clear-site-data")).toBeNull();
    const shown = await get("/any", { cookie: `a=1; ${given}` });
    expect(await shown.text()).toBe("here");
    expect((await get("/sw.js", { cookie: given, "service-worker": "script" })).status).toBe(403);
    for (const path of ["/agents/test-agent/w1/tree", `/previews/${token}/`]) {
      expect(await (await get(path, { cookie: given })).text()).toBe("here");
      expect((await get(path, { authorization: "Bearer test-token" })).status).toBe(404);
    }
    await session.revokePreview();
    expect((await get("/", { cookie: given })).status).toBe(410);
    expect((await previews(new Request("https://elsewhere.test/"), env)).status).toBe(404);
  });

  test.each(["nothing", "a".repeat(32), "aaaa.bbbb"])("the token %s opens nothing", async (token) => {
    expect((await worker.fetch(new Request(`https://tenrec.test/previews/${token.replace(".", "")}/`))).status).toBe(
      404,
    );
    expect((await worker.fetch(new Request(`http://${token}.preview.localhost/`))).status).toBe(404);
  });

  test("what objects are asked inside is not to be reached from outside", async () => {
    const headers = {
      authorization: "Bearer test-token",
      "tenrec-gateway-from": "%7B%7D",
      "tenrec-gateway-url": "http://x/",
    };
    for (const path of ["preview", "preview-gateway"]) {
      const request = new Request(`https://tenrec.test/agents/test-agent/w1/${path}`, { headers });
      expect((await worker.fetch(request)).status).toBe(404);
    }
  });
});

const SANDBOX = "sandbox allow-downloads allow-forms allow-modals allow-pointer-lock allow-popups allow-scripts";
