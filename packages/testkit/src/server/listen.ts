import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";

export interface Listening {
  /** Without a path, such as `http://127.0.0.1:8000`. */
  readonly url: string;
  /** Ends open connections too. Safe to call twice. */
  readonly close: () => Promise<void>;
}

/**
 * Serves a fetch handler on the loopback interface. A request's signal aborts when its client goes away; a response body
 * that fails, or a handler that rejects, closes the connection without an end. Port 0 takes a free one.
 */
export async function listen(
  handler: { fetch(request: Request): Promise<Response> },
  options: { readonly port?: number } = {},
): Promise<Listening> {
  const server = createServer((incoming, outgoing) => {
    void answer(handler, incoming, outgoing).catch(() => breakOff(outgoing));
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  handler: { fetch(request: Request): Promise<Response> },
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort(new Error("the client closed the connection")));
  const response = await handler.fetch(await toRequest(incoming, gone.signal));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  for await (const bytes of response.body ?? []) {
    if (gone.signal.aborted) return;
    if (!outgoing.write(bytes)) await once(outgoing, "drain", { signal: gone.signal });
  }
  outgoing.end();
}

// A client whose connection fails drops what it has received and not yet read, so it gets a moment to read it.
async function breakOff(outgoing: ServerResponse): Promise<void> {
  if (outgoing.headersSent) await setTimeout(50);
  outgoing.destroy();
}

async function toRequest(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const url = new URL(incoming.url ?? "/", `http://${incoming.headers.host ?? "127.0.0.1"}`);
  const headers = new Headers(
    Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, [value ?? ""].flat().join(", ")]),
  );
  const method = incoming.method ?? "GET";
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers, signal });
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return new Request(url, { method, headers, signal, body: Buffer.concat(chunks) });
}
