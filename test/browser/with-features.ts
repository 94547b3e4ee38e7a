import type { Page } from "playwright-core";
import { wrangler } from "./with-session.ts";

/** An app that uses what a browser offers. */
export const APP = {
  "wrangler.json": wrangler({
    durable_objects: { bindings: [{ name: "COUNTER", class_name: "Counter" }] },
    migrations: [{ tag: "v1", new_sqlite_classes: ["Counter"] }],
  }),
  "src/index.js": `import { DurableObject } from "cloudflare:workers";
import page from "./page.html";
export class Counter extends DurableObject {
  async add() { const n = ((await this.ctx.storage.get("n")) ?? 0) + 1; await this.ctx.storage.put("n", n); return n; }
}
export default { async fetch(request, env) {
  const url = new URL(request.url);
  switch (url.pathname) {
    case "/": return new Response(page, { headers: { "content-type": "text/html" } });
    case "/api": return Response.json({ cookie: request.headers.get("cookie"), authorization: request.headers.get("authorization"),
      method: request.method, protocol: url.protocol });
    case "/login": return new Response("hello", { headers: { "set-cookie": "sid=42; Path=/; HttpOnly; SameSite=Lax" } });
    case "/away": return Response.redirect(new URL("/api", request.url).href, 302);
    case "/form": return new Response("posted " + (await request.text()), { headers: { "content-type": "text/html" } });
    case "/count": return new Response(String(await env.COUNTER.getByName("a").add()));
    case "/sw.js": return new Response("", { headers: { "content-type": "text/javascript" } });
    case "/module.js": return new Response("window.loaded = true;", { headers: { "content-type": "text/javascript" } });
    case "/stream": {
      const { readable, writable } = new TransformStream();
      const writer = writable.getWriter();
      void (async () => {
        await writer.write(new TextEncoder().encode("data: first\\n\\n"));
        await new Promise((done) => setTimeout(done, 300));
        await writer.write(new TextEncoder().encode("data: second\\n\\n"));
        await writer.close();
      })();
      return new Response(readable, { headers: { "content-type": "text/event-stream" } });
    }
    case "/ws": {
      const [client, server] = Object.values(new WebSocketPair());
      server.accept();
      server.addEventListener("message", ({ data }) => server.send("echo " + data));
      return new Response(null, { status: 101, webSocket: client });
    }
  }
  return new Response("no such path", { status: 404 });
} };
`,
  "src/page.html": `<!doctype html><html><head><script type="module" src="/module.js"></script></head>
<body><h1>An app</h1><form method="post" action="/form"><input name="a" value="1"><button>Send</button></form></body></html>
`,
} as const;

/** Whether each feature works in a page of the app, by how the README calls it: code of the page, with its answer. */
export const FEATURES: Readonly<Record<string, string>> = {
  "addresses in the page, relative or absolute": `window.loaded === true`,
  'relative `fetch("api")`': `fetch("api", { method: "PUT" }).then(({ ok }) => ok)`,
  'absolute `fetch("/api")`': `fetch("/api").then(({ ok }) => ok)`,
  redirects: `fetch("away").then(({ ok }) => ok)`,
  streams: `fetch("stream").then(({ body }) => body.getReader().read()).then(({ value }) =>
    new TextDecoder().decode(value) === "data: first\\n\\n")`,
  WebSockets: `new Promise((resolve) => {
    const socket = new WebSocket(new URL("ws", location.href).href.replace("http", "ws"));
    socket.onopen = () => socket.send("hi");
    socket.onmessage = ({ data }) => resolve(data === "echo hi");
    socket.onerror = () => resolve(false);
  })`,
  "storage, such as `localStorage`": `(localStorage.setItem("a", "1"), localStorage.getItem("a") === "1")`,
  "service workers": `navigator.serviceWorker.register("sw.js").then(({ scope }) => scope !== "")`,
  "logins by a cookie": `fetch("login").then(() => fetch("api")).then((answer) => answer.json()).then(({ cookie }) => cookie === "sid=42")`,
  "`Authorization`": `fetch("api", { headers: { authorization: "Bearer own" } }).then((answer) => answer.json())
    .then(({ authorization }) => authorization === "Bearer own")`,
  // The last one: it leaves the page.
  forms: `document.querySelector("button").click()`,
};

/** Whether a page has a feature. */
export async function hasFeature(page: Page, feature: string): Promise<boolean> {
  const works = await page.evaluate(FEATURES[feature] ?? "").catch(() => false);
  if (feature !== "forms") return works === true;
  return page.waitForSelector("text=posted a=1", { timeout: 5000 }).then(
    () => true,
    () => false,
  );
}
