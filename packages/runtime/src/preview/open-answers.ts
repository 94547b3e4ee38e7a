import { relaySockets } from "./relay-sockets.ts";

/** Ends an answer that is still open. */
type End = (reason: string) => void;

/** The sockets and streams of apps that are open, so that they end with the link that they were asked for by. */
export class OpenAnswers {
  readonly #open = new Map<number, Set<End>>();
  readonly #now: () => number;

  /** `now` tells milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The answer to a request by a link, as it may go out: one that can go on for ever ends when `end` says so. */
  hold(link: number, response: Response): Response {
    if (response.webSocket) return this.#socket(link, response, response.webSocket);
    return response.body && isStream(response) ? this.#stream(link, response, response.body) : response;
  }

  /** Ends what is open of links that are no more. */
  end(links: readonly number[], reason: string): void {
    for (const link of links) for (const end of this.#open.get(link) ?? []) end(reason);
  }

  #socket(link: number, { headers }: Response, app: WebSocket): Response {
    const pair = new WebSocketPair();
    const drop = this.#keep(link, relaySockets(app, pair[1], { onEnd: () => drop(), now: this.#now }));
    return new Response(null, { status: 101, webSocket: pair[0], headers });
  }

  #stream(link: number, response: Response, body: ReadableStream<Uint8Array>): Response {
    const { readable, writable } = new IdentityTransformStream();
    const stop = new AbortController();
    const drop = this.#keep(link, (reason) => stop.abort(new Error(reason)));
    // Who reads it sees it break off, and not end: what is missing is no part of it.
    body.pipeTo(writable, { signal: stop.signal }).then(drop, drop);
    return new Response(readable, response);
  }

  /** Returns what forgets it. */
  #keep(link: number, end: End): () => void {
    const ends = this.#open.get(link) ?? new Set();
    this.#open.set(link, ends.add(end));
    return () => {
      ends.delete(end);
      if (ends.size === 0 && this.#open.get(link) === ends) this.#open.delete(link);
    };
  }
}

/** What has a length comes to its end; what is packed would be unpacked and packed again on its way through. */
function isStream({ headers }: Response): boolean {
  return !headers.has("content-length") && !headers.has("content-encoding");
}
