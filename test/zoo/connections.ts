import { withoutHost } from "./ask-host.ts";
import type { Host } from "./host.ts";
import { Inbox } from "./inbox.ts";

interface Connection {
  readonly inbox: Inbox;
  /** Messages are whole; a stream is cut into pieces anywhere. */
  readonly hasMessages: boolean;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
}

const PATIENCE_MS = 15_000;

/** The open WebSockets and streams of one check, by name. What a method resolves with is the line that is compared. */
export class Connections {
  readonly #host: Host;
  readonly #open = new Map<string, Connection>();

  constructor(host: Host) {
    this.#host = host;
  }

  async socket(name: string, path: string): Promise<string> {
    const inbox = new Inbox();
    const socket = new WebSocket(this.#address(path).replace(/^http/, "ws"));
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", ({ data }) => {
      inbox.take(typeof data === "string" ? withoutHost(data, this.#host) : JSON.stringify([...new Uint8Array(data)]));
    });
    const opened = new Promise<string>((resolve) => {
      socket.addEventListener("open", () => resolve("open"));
      socket.addEventListener("close", ({ code, reason }) => {
        inbox.end(`closed ${code} ${reason}`.trim());
        resolve("refused");
      });
    });
    const close = (code?: number, reason?: string): void => socket.close(code, reason);
    this.#open.set(name, { inbox, hasMessages: true, close, send: (data) => socket.send(data) });
    return inTime(opened, `opening ${path}`);
  }

  async stream(name: string, path: string): Promise<string> {
    const inbox = new Inbox();
    const stop = new AbortController();
    const close = (): void => stop.abort();
    const send = (): never => {
      throw new Error("nothing can be sent on a stream");
    };
    this.#open.set(name, { inbox, hasMessages: false, close, send });
    const response = await inTime(fetch(this.#address(path), { signal: stop.signal }), `opening ${path}`);
    void readText(response, (text) => inbox.take(withoutHost(text, this.#host))).then(
      () => inbox.end("ended"),
      (error: unknown) => inbox.end(stop.signal.aborted ? "closed here" : `broken off: ${String(error)}`),
    );
    return `${response.status} ${response.headers.get("content-type")}`;
  }

  send(name: string, data: string | readonly number[]): string {
    this.#get(name).send(typeof data === "string" ? data : Uint8Array.from(data));
    return "sent";
  }

  /** The next message of a socket; of a stream, all that came until it is as wanted. */
  async receive(name: string, isWanted: (text: string) => boolean): Promise<string> {
    const { inbox, hasMessages } = this.#get(name);
    let text = await inTime(inbox.next(), `a message on ${name}`);
    while (!hasMessages && !isWanted(text)) text += await inTime(inbox.next(), `more on ${name} than ${text}`);
    return text;
  }

  close(name: string, code?: number, reason?: string): string {
    this.#get(name).close(code, reason);
    return "closing";
  }

  closed(name: string): Promise<string> {
    return inTime(this.#get(name).inbox.ended, `the end of ${name}`);
  }

  closeAll(): void {
    for (const connection of this.#open.values()) connection.close();
  }

  #address(path: string): string {
    return this.#host.socketUrl + path.slice(1);
  }

  #get(name: string): Connection {
    const connection = this.#open.get(name);
    if (!connection) throw new Error(`the check opens no ${name}`);
    return connection;
  }
}

async function readText(response: Response, take: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) take(decoder.decode(piece, { stream: true }));
}

async function inTime<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${PATIENCE_MS} ms for ${what}`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
