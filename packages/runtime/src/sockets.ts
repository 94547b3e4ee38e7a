import type { ErrorJson, TenrecEvent, WatchFrame } from "@tenrec/protocol";
import { errorJson, TenrecError } from "@tenrec/protocol";
import { jsonArrays } from "./json-arrays.ts";
import type { Sessions } from "./sessions.ts";
import type { Workspace } from "./workspace.ts";

/** The platform's hibernating sockets, as far as they are needed. */
export interface SocketHost {
  accept(socket: WebSocket, tags: string[]): void;
  get(tag: string): WebSocket[];
}

/** Marks our sockets among those of the object. */
const TAG = "tenrec-watch";
/** Events of history that are read together, so that a long journal is not in memory at once. */
const PAGE = 100;
/** Frames are sent together up to this size; a message of a socket may have 32 MiB. In UTF-16 units. */
const MESSAGE_CHARS = 1_000_000;
/** Close code of a watch that is refused; its one frame says why. */
const REFUSED = 4400;

function tagOf(session: string): string {
  return `${TAG}:${session}`;
}

function send(socket: WebSocket, frames: readonly WatchFrame[]): void {
  try {
    const texts = frames.map((each) => JSON.stringify(each));
    for (const message of jsonArrays(texts, MESSAGE_CHARS)) socket.send(message);
  } catch {
    // The socket has closed meanwhile; its watcher comes back with the last `seq` it saw.
  }
}

function frame(event: TenrecEvent): WatchFrame {
  return { type: "event", event };
}

/**
 * Sockets on which clients watch sessions. They hibernate with the object: a socket's session is in its tag, and what is
 * to be sent is in the journal. A message is a JSON array of frames.
 */
export class Sockets {
  readonly #workspace: Workspace;
  readonly #sessions: Sessions;
  readonly #host: SocketHost;

  constructor(workspace: Workspace, sessions: Sessions, host: SocketHost) {
    this.#workspace = workspace;
    this.#sessions = sessions;
    this.#host = host;
    workspace.journal.listen((events) => {
      const [first] = events;
      if (first) this.#broadcast(first.session, events.map(frame));
    });
    workspace.journal.listenRemoval((session) => this.#refuse(session));
    workspace.deltas.listen((delta) => this.#broadcast(delta.session, [frame(delta)]));
  }

  /** Accepts a watcher. What the session's snapshot throws is thrown before. */
  accept(session: string, after: number): Response {
    const pair = new WebSocketPair();
    this.welcome(pair[1], session, after);
    return new Response(null, { status: 101, webSocket: pair[0] });
  }

  /**
   * Sends a watcher a snapshot, every durable event after `after`, the text being streamed so far, then all that follows.
   * All of it is sent in one go without giving up control, so nothing is missed or sent twice.
   */
  welcome(server: WebSocket, session: string, after: number): void {
    const snapshot = this.#sessions.snapshot(session);
    this.#host.accept(server, [TAG, tagOf(session)]);
    send(server, [{ type: "snapshot", snapshot }]);
    for (let seq = after; ;) {
      const events = this.#workspace.journal.events(session, seq, PAGE);
      if (events.length > 0) send(server, events.map(frame));
      if (events.length < PAGE) break;
      seq = events.at(-1)?.seq ?? seq;
    }
    const open = this.#workspace.deltas.open(session);
    if (open.length > 0) send(server, open.map(frame));
  }

  /** True for a socket of ours. */
  owns(socket: WebSocket): boolean {
    return this.#host.get(TAG).includes(socket);
  }

  /** Ends the watches of a session that is no more. */
  #refuse(session: string): void {
    const error = errorJson(new TenrecError("session-not-found", { session }));
    for (const socket of this.#host.get(tagOf(session))) {
      send(socket, [{ type: "refusal", error }]);
      socket.close(REFUSED, "refused");
    }
  }

  #broadcast(session: string, frames: readonly WatchFrame[]): void {
    for (const socket of this.#host.get(tagOf(session))) send(socket, frames);
  }
}

/** Refuses a watch in a way that a browser can read: by a frame, since it cannot see the answer to an upgrade. */
export function refuseWatch(error: ErrorJson): Response {
  const pair = new WebSocketPair();
  pair[1].accept();
  send(pair[1], [{ type: "refusal", error }]);
  pair[1].close(REFUSED, "refused");
  return new Response(null, { status: 101, webSocket: pair[0] });
}
