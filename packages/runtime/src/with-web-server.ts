import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface WebServer {
  /** With its port. */
  readonly host: string;
  stop(): Promise<void>;
}

/** How often each path was asked for. `/count?path=…` tells. */
type Counts = Map<string, number>;

type Answer = (url: URL, request: IncomingMessage, response: ServerResponse, counts: Counts) => void;

const ANSWERS: Readonly<Record<string, Answer>> = {
  "/page": (_url, _request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8").end("<title>A page</title><h1>Hello</h1>");
  },
  "/to": (url, _request, response) => {
    response
      .writeHead(Number(url.searchParams.get("status") ?? 302), { location: url.searchParams.get("url") ?? "/" })
      .end();
  },
  "/echo": (_url, request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const { method, headers } = request;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ method, headers, body: Buffer.concat(pieces).toString() }));
    });
  },
  "/never": () => {},
  "/count": (url, _request, response, counts) => {
    response.end(String(counts.get(url.searchParams.get("path") ?? "") ?? 0));
  },
};

/** A web server on loopback that answers as a test asks it to: `/to?url=…` redirects, `/echo` tells what it was sent. */
export function startWebServer(): Promise<WebServer> {
  const counts: Counts = new Map();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://server");
    counts.set(url.pathname, (counts.get(url.pathname) ?? 0) + 1);
    const answer = ANSWERS[url.pathname];
    if (answer) answer(url, request, response, counts);
    else response.end("plain");
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      const stop = async (): Promise<void> => {
        server.closeAllConnections();
        server.close();
      };
      resolve({ host: `127.0.0.1:${port}`, stop });
    });
  });
}
