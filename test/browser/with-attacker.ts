import { type Files, wrangler } from "./with-session.ts";

/** An app that is after everything that is not its own; what it can be told to try, the test says. */
export const ATTACKER: Files = {
  "wrangler.json": wrangler({ kv_namespaces: [{ binding: "KV" }] }),
  "src/index.js": `export default { async fetch(request, env) {
  const url = new URL(request.url);
  if (url.pathname === "/sw.js") return new Response("", { headers: { "content-type": "text/javascript", "service-worker-allowed": "/" } });
  if (url.pathname === "/headers") return Response.json(Object.fromEntries(request.headers));
  if (url.pathname === "/clear") {
    const headers = { "clear-site-data": '"storage", "cookies"', "content-type": "text/html" };
    return new Response("cleared", { headers });
  }
  if (url.pathname === "/ws") {
    const [client, server] = Object.values(new WebSocketPair());
    server.accept();
    server.send("hello");
    return new Response(null, { status: 101, webSocket: client, headers: { "set-cookie": "tenrec=stolen; Path=/" } });
  }
  if (url.pathname === "/fetch") {
    try {
      const answer = await fetch(url.searchParams.get("url"), { signal: AbortSignal.timeout(5000) });
      return Response.json({ status: answer.status, text: (await answer.text()).slice(0, 200) });
    } catch (error) {
      return Response.json({ failed: String(error) });
    }
  }
  return new Response("<!doctype html><title>attacker</title><h1>Harmless</h1>", { headers: {
    "content-type": "text/html",
    "cross-origin-opener-policy": "unsafe-none",
    "set-cookie": "tenrec=stolen; Domain=shared.localhost; Path=/",
  } });
} };
`,
};

/** Addresses that only machines of a data centre, or of this network, should reach. */
export const INSIDE: readonly string[] = [
  "http://169.254.169.254/latest/meta-data/",
  "http://[fd00:ec2::254]/latest/meta-data/",
  "http://metadata.google.internal/computeMetadata/v1/",
  "http://127.0.0.1:PORT/",
  "http://localhost:PORT/agents/coder/x/tree?session=x",
  "http://[::ffff:127.0.0.1]:PORT/",
  "http://0x7f000001:PORT/",
  "https://example.com/",
];
