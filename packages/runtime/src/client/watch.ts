import type { WatchFrame } from "@tenrec/protocol";
import { errorFromJson, TenrecError } from "@tenrec/protocol";
import { systemClock } from "../system-clock.ts";
import { type Connection, request } from "./call.ts";
import { freshEvents } from "./fresh-events.ts";

/** First wait before a lost connection is opened again; doubles up to `MAX_RETRY_MS`. In milliseconds. */
const RETRY_MS = 250;
const MAX_RETRY_MS = 8000;

export interface WatchRequest {
  readonly session: string;
  /** Events after this `seq`. */
  readonly after: number;
  readonly signal: AbortSignal;
  readonly onFrame: (frame: WatchFrame) => void;
  readonly onDisconnect: () => void;
}

async function open(connection: Connection, { session, signal }: WatchRequest, after: number): Promise<WebSocket> {
  const response = await request(connection, "ticket", { method: "POST", signal });
  const { ticket } = (await response.json()) as { ticket: string };
  const url = new URL(`${connection.url}/watch`);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.search = new URLSearchParams({ session, after: String(after), ticket }).toString();
  return new WebSocket(url.href);
}

/** Resolves when the socket has closed. */
function closed(socket: WebSocket, signal: AbortSignal, onFrames: (frames: WatchFrame[]) => void): Promise<void> {
  return new Promise((resolve) => {
    const abort = (): void => socket.close(1000);
    signal.addEventListener("abort", abort, { once: true });
    socket.addEventListener("message", ({ data }) => onFrames(JSON.parse(String(data)) as WatchFrame[]));
    socket.addEventListener("close", () => {
      signal.removeEventListener("abort", abort);
      resolve();
    });
    // A close follows every error; there is nothing to add to it.
    socket.addEventListener("error", () => {});
    if (signal.aborted) abort();
  });
}

/** Errors that another try would meet again. */
function isFinal(error: unknown): boolean {
  return error instanceof TenrecError && error.code !== "internal" && error.code !== "unreachable";
}

/**
 * Watches until aborted, through lost connections: it comes back with the last `seq` it saw, and passes on nothing twice.
 * Rejects when the agent refuses the watch.
 */
export async function watchFrames(connection: Connection, watch: WatchRequest): Promise<void> {
  const fresh = freshEvents(watch.after);
  let wait = RETRY_MS;
  let refusal: TenrecError | undefined;
  const take = (frame: WatchFrame): void => {
    if (frame.type === "refusal") refusal = errorFromJson(frame.error);
    if (frame.type === "snapshot") watch.onFrame(frame);
    const event = frame.type === "event" ? fresh.take(frame.event) : undefined;
    if (event) watch.onFrame({ type: "event", event });
  };
  while (!watch.signal.aborted) {
    try {
      const socket = await open(connection, watch, fresh.after);
      await closed(socket, watch.signal, (frames) => {
        wait = RETRY_MS;
        for (const frame of frames) take(frame);
      });
    } catch (error) {
      if (watch.signal.aborted) return;
      if (isFinal(error)) throw error;
    }
    if (refusal) throw refusal;
    if (watch.signal.aborted) return;
    watch.onDisconnect();
    // An abort ends the wait, and then the loop.
    await systemClock.sleep(wait, watch.signal).catch(() => {});
    wait = Math.min(MAX_RETRY_MS, wait * 2);
  }
}
