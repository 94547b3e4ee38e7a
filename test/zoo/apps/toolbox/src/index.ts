import { AsyncLocalStorage } from "node:async_hooks";
import { Buffer } from "node:buffer";
import { EventEmitter } from "node:events";
import { inspect } from "node:util";

const store = new AsyncLocalStorage<string>();
let requests = 0;

class Linker {
  constructor(private readonly base: string) {}

  element(element: Element): void {
    const href = element.getAttribute("href");
    if (href) element.setAttribute("href", new URL(href, this.base).href);
  }
}

type Handler = (request: Request, env: Env, ctx: ExecutionContext) => unknown;

interface Env {
  MODE: string;
  FLAGS: string[];
}

const handlers: Record<string, Handler> = {
  "/rewrite": (request) =>
    new HTMLRewriter()
      .on("a", new Linker("https://example.com/base/"))
      .on("title", { text: (chunk) => void (chunk.lastInTextNode && chunk.after(" (rewritten)")) })
      .transform(new Response('<title>T</title><a href="x">x</a><a>y</a>', { headers: { "content-type": "text/html" } })),
  "/context": async () => {
    const seen = await store.run("inside", async () => {
      await scheduler.wait(1);
      return store.getStore();
    });
    return [seen, store.getStore() ?? null];
  },
  "/process": () => [process.env["MODE"], process.env["FLAGS"], typeof process.version, process.platform],
  "/buffer": () => [Buffer.from("héllo").toString("hex"), inspect({ a: [1, { b: 2 }] })],
  "/emitter": () => {
    const emitter = new EventEmitter();
    const heard: number[] = [];
    emitter.on("n", (n: number) => heard.push(n));
    for (const n of [1, 2]) emitter.emit("n", n);
    return heard;
  },
  "/crypto": async () => {
    const key = await crypto.subtle.importKey("raw", new TextEncoder().encode("key"), { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
    const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode("text"));
    return [Buffer.from(signature).toString("base64url"), await crypto.subtle.verify("HMAC", key, signature, new TextEncoder().encode("text")), crypto.randomUUID().length];
  },
  "/compress": async () => {
    const packed = new Response("zoo ".repeat(100)).body!.pipeThrough(new CompressionStream("gzip"));
    const text = await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).text();
    return text.length;
  },
  "/gzip": () => new Response(new Response("packed ".repeat(50)).body!.pipeThrough(new CompressionStream("gzip")), { encodeBody: "manual", headers: { "content-encoding": "gzip", "content-type": "text/plain" } }),
  "/globals": () => ["caches", "navigator", "WebSocketPair", "URLPattern", "EventSource", "MessageChannel"].map((name) => name in globalThis),
  "/agent": () => navigator.userAgent,
  "/count": () => (requests += 1),
  "/headers": (request) => [...request.headers].filter(([name]) => /^(x-|accept$|content-type)/.test(name)),
  "/url": (request) => {
    const { pathname, search, protocol } = new URL(request.url);
    return [request.method, protocol, pathname, search];
  },
  "/clone": async (request) => {
    const copy = request.clone();
    return [await request.text(), await copy.json()];
  },
  "/status": () => new Response("short and stout", { status: 418, statusText: "I'm a teapot" }),
  "/empty": () => new Response(null, { status: 204 }),
  "/redirect": (request) => Response.redirect(new URL("/url?from=redirect", request.url).href, 307),
  "/many-headers": () => {
    const headers = new Headers({ "x-one": "1" });
    headers.append("x-one", "2");
    headers.append("link", "</a>; rel=preload");
    headers.append("link", "</b>; rel=preload");
    headers.append("vary", "accept");
    return new Response("ok", { headers });
  },
  "/form": async (request) => {
    const form = await request.formData();
    return [...form].map(([name, value]) => [name, typeof value === "string" ? value : [value.name, value.type, value.size]]);
  },
  "/blob": async (request) => {
    const blob = await request.blob();
    return [blob.type, blob.size];
  },
  "/after": (request, env, ctx) => {
    ctx.waitUntil(scheduler.wait(5));
    ctx.passThroughOnException();
    return { clients: typeof ctx.props, env: Object.keys(env).sort() };
  },
  "/cache": async () => {
    const cache = await caches.open("zoo");
    const key = "https://cache.example/key";
    await cache.put(key, new Response("cached", { headers: { "cache-control": "max-age=60" } }));
    const found = await cache.match(key);
    return { found: (await found?.text()) ?? null, deleted: await cache.delete(key), gone: (await cache.match(key)) === undefined };
  },
  "/login": () => {
    const headers = new Headers({ location: "/me" });
    headers.append("set-cookie", "session=ada%3D1; Path=/; HttpOnly; SameSite=Lax");
    headers.append("set-cookie", "theme=dark; Max-Age=3600");
    return new Response(null, { status: 303, headers });
  },
  "/me": (request) => request.headers.get("cookie"),
  "/logout": () => new Response("bye", { headers: { "set-cookie": "session=; Path=/; Max-Age=0" } }),
  "/echo": (request) => {
    if (request.headers.get("upgrade") !== "websocket") return new Response("Upgrade", { status: 426 });
    const [client, server] = Object.values(new WebSocketPair()) as [WebSocket, WebSocket];
    server.binaryType = "arraybuffer";
    server.accept();
    server.addEventListener("message", ({ data }) => {
      if (data === "end") server.close(4001, "as asked");
      else server.send(typeof data === "string" ? data.toUpperCase() : data);
    });
    return new Response(null, { status: 101, webSocket: client });
  },
  "/abort": async () => {
    const signal = AbortSignal.timeout(5);
    const reason = await new Promise((resolve) => signal.addEventListener("abort", () => resolve((signal.reason as Error).name)));
    return reason;
  },
  "/timers": () =>
    new Promise((resolve) => {
      const order: string[] = [];
      setTimeout(() => order.push("timeout"), 1);
      queueMicrotask(() => order.push("microtask"));
      void Promise.resolve().then(() => order.push("promise"));
      setTimeout(() => resolve(order), 20);
    }),
};

export default {
  async fetch(request, env, ctx): Promise<Response> {
    const handler = handlers[new URL(request.url).pathname];
    if (!handler) return new Response("Not found", { status: 404 });
    const answer = await handler(request, env, ctx);
    return answer instanceof Response ? answer : Response.json(answer);
  },
} satisfies ExportedHandler<Env>;
