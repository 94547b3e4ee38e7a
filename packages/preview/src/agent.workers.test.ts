import { abortAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { routePreviews } from "@tenrec/runtime";
import { describe, expect, test } from "vitest";
import { answers, sessionOf, submit, worker, write } from "./with-agent.ts";
import { budget } from "../vitest.agent.worker.ts";
import { wrangler } from "./with-wrangler.ts";

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

  test("what an app logs of a failure comes with the answer that it explains", async () => {
    const source = `export default { fetch() {
  for (const _ of [1]) console.error("failed:", new Error("no such table"));
  return new Response("Internal Server Error", { status: 500 });
} };`;
    const session = await sessionOf([
      { say: [write("wrangler.json", wrangler()), write("src/index.ts", source)] },
      { say: [{ call: "preview", input: { path: "/" } }] },
      { say: [{ text: "done" }] },
    ]);
    await submit(session, "make it");
    const texts = (await session.history()).flatMap((event) =>
      event.type === "tool-result" && event.toolName === "preview" ? [event.output.text] : [],
    );
    expect(texts).toEqual([
      expect.stringMatching(
        /- console\.error: failed: Error: no such table\n +at Object\.fetch \(src\/index\.ts:2:49\)/,
      ),
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

test("an alarm of an app rings during a turn", async () => {
  const source = `import { DurableObject } from "cloudflare:workers";
export class Room extends DurableObject {
  async alarm() { await this.ctx.storage.put("rang", true); }
  async later() {
    await this.ctx.storage.setAlarm(Date.now() + 10);
    for (let i = 0; i < 1000 && !(await this.ctx.storage.get("rang")); i++) await scheduler.wait(10);
    return (await this.ctx.storage.get("rang")) ? "it rang" : "it did not ring";
  }
}
export default { fetch: async (request, env) => new Response(await env.ROOM.getByName("a").later()) };`;
  const config = wrangler({ durable_objects: { bindings: [{ name: "ROOM", class_name: "Room" }] } });
  const session = await sessionOf([
    { say: [write("wrangler.json", config), write("src/index.ts", source)] },
    { say: [{ call: "preview", input: { path: "/" } }] },
    { say: [{ text: "done" }] },
  ]);
  await submit(session, "make it");
  const texts = (await session.history()).flatMap((event) =>
    event.type === "tool-result" && event.toolName === "preview" ? [event.output.text] : [],
  );
  expect(texts).toEqual([expect.stringContaining("it rang")]);
});

test("K24 an agent dies in a request: the next one has one version", async () => {
  const source = (version: number): string => `import { DurableObject } from "cloudflare:workers";
import { late } from "./late";
export class Room extends DurableObject {
  async count() { const n = ((await this.ctx.storage.get("n")) ?? 0) + 1; await this.ctx.storage.put("n", n); return n; }
}
export default { async fetch(request, env) {
  const n = await env.ROOM.getByName("a").count();
  if (request.url.endsWith("/slow")) await new Promise((resolve) => setTimeout(resolve, 10_000));
  return Response.json([${version}, late, n]);
} };`;
  const late = (version: number): string => `export const late = ${version};`;
  const config = wrangler({ durable_objects: { bindings: [{ name: "ROOM", class_name: "Room" }] } });
  const session = await sessionOf([
    { say: [write("wrangler.json", config), write("src/index.ts", source(1)), write("src/late.ts", late(1))] },
    { say: [{ text: "made" }] },
    {
      say: [
        { call: "read", input: { path: "src/index.ts" } },
        { call: "read", input: { path: "src/late.ts" } },
      ],
    },
    { say: [write("src/index.ts", source(2)), write("src/late.ts", late(2))] },
    { say: [{ text: "changed" }] },
  ]);
  await submit(session, "make it");
  const { url } = await session.preview();
  const get = async (path: string): Promise<string> => (await worker.fetch(new Request(url + path))).text();
  const slow = get("slow").catch(() => "cut off");
  await new Promise((resolve) => setTimeout(resolve, 300));
  await abortAllDurableObjects();
  expect(await slow).not.toMatch(/^\[/);
  expect(await get("")).toBe("[1,1,2]");
  await submit(session, "change it");
  const cut = get("slow").catch(() => "cut off");
  await new Promise((resolve) => setTimeout(resolve, 300));
  await abortAllDurableObjects();
  await cut;
  expect(await get("")).toBe("[2,2,4]");
});

test("a turn ends well beside an app in a loop, and its model is told", async () => {
  const loop = `export default { fetch() {\n  while (true) {}\n} };`;
  const session = await sessionOf([
    { say: [write("wrangler.json", wrangler()), write("src/index.ts", loop)] },
    { say: [{ call: "preview", input: { path: "/" } }] },
    { say: [{ call: "bash", input: { command: "echo still here" } }] },
    { say: [{ text: "done" }] },
  ]);
  const { operationId } = await session.submit("make it");
  const { url } = await session.preview();
  // Somebody asks the app meanwhile.
  const other = worker.fetch(new Request(url));
  expect(await session.wait(operationId)).toMatchObject({ status: "done" });
  await (await other).text();
  expect((await worker.fetch(new Request(url))).status).toBe(500);
  const history = await session.history();
  const results = history.flatMap((event) => (event.type === "tool-result" ? [JSON.stringify(event)] : []));
  expect(results.some((text) => text.includes("EndlessLoopError") && text.includes("src/index.ts:2:"))).toBe(true);
  expect(results.some((text) => text.includes("still here"))).toBe(true);
  // Each failure is recorded once; the first page was asked for before there was an app.
  const told = history.filter((event) => event.type === "preview" && event.kind !== "build-error");
  expect(told).toMatchObject([
    { kind: "exception", detail: { name: "EndlessLoopError", at: { path: "/src/index.ts", line: 2 } } },
    { kind: "request", detail: { status: 500 } },
  ]);
});

test("Dynamic Workers count in what a session spends, and against its budget", async () => {
  budget.session = { workers: 2 };
  const session = await sessionOf([
    { say: [write("wrangler.json", wrangler()), write("src/index.ts", answers("first"))] },
    { say: [{ call: "preview", input: { path: "/" } }] },
    { say: [write("src/other.ts", ""), write("src/late.ts", answers("second"))] },
    { say: [write("wrangler.json", wrangler({ main: "src/late.ts" }))] },
    { say: [{ text: "done" }] },
    { say: [write("src/third.ts", answers("third")), write("wrangler.json", wrangler({ main: "src/third.ts" }))] },
    { say: [{ call: "preview", input: { path: "/" } }] },
    { say: [{ text: "done" }] },
  ]);
  const { url } = await session.preview();
  const get = async (): Promise<string> => (await worker.fetch(new Request(url))).text();
  await submit(session, "make it");
  expect(await get()).toBe("second");
  expect((await session.spent()).session).toMatchObject({ workers: 2, usd: expect.closeTo(0.004, 5) as number });
  await submit(session, "once more");
  expect(await get()).toContain(TOO_MANY);
  const { session: own, workspace } = await session.spent();
  expect([own.workers, workspace.workers]).toEqual([2, 2]);
  const history = await session.history();
  expect(history.filter(({ type }) => type === "worker-usage")).toHaveLength(2);
  // The model is told in the same words, and its turn went on.
  const results = history.flatMap((event) => (event.type === "tool-result" ? [JSON.stringify(event)] : []));
  expect(results.some((text) => text.includes(TOO_MANY))).toBe(true);
  delete budget.session;
});

const TOO_MANY = "Budget used up: 2 of 2 Dynamic Workers of the session. Raise the agent's budget to go on.";

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
      const headers = { "set-cookie": "sid=1; Path=/x; Domain=localhost; HttpOnly", "clear-site-data": '"*"' };
      if (pathname === "/ws") return new Response(null, { status: 101, webSocket: new WebSocketPair()[0], headers });
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
    expect(opaque.get("clear-site-data")).toBeNull();
    expect(opaque.get("content-security-policy")).toBe(SANDBOX);
    const [at, own] = await seenBy(host ?? "");
    expect(at).toEqual({ authorization: "Bearer app-token", cookie: "sid=1", "x-own": "1" });
    expect(own.getSetCookie()).toEqual(["__Host-app-sid=1; Path=/; Secure; HttpOnly"]);
    expect(own.get("content-security-policy")).toBeNull();
    expect(own.get("cross-origin-opener-policy")).toBe("same-origin-allow-popups");
    expect(own.get("clear-site-data")).toBe('"*"');
    const socketOf = async (base: string): Promise<string[]> => {
      const response = await worker.fetch(new Request(`${base}ws`, { headers: { upgrade: "websocket" } }));
      response.webSocket?.accept();
      response.webSocket?.close();
      expect(response.status).toBe(101);
      return response.headers.getSetCookie();
    };
    expect(await socketOf(url)).toEqual([]);
    expect(await socketOf(host ?? "")).toEqual(["__Host-app-sid=1; Path=/; Secure; HttpOnly"]);
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
