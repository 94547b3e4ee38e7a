import { hasCode } from "@tenrec/protocol";
import { type TreeChange, watchHead } from "@tenrec/vfs";
import type { SocketHost } from "../sockets.ts";
import type { Workspace } from "../workspace.ts";
import { LIVE_ENDED, LIVE_REFUSED, MOST_PAGE_ERRORS } from "./live-limits.ts";
import { type LocatedError, type PageMessage, readPageMessage } from "./page-message.ts";

/** Marks these sockets among those of the object. */
const TAG = "tenrec-live";

/** Pages of one session that are open at a time; of more, those that come later are not told of changes. */
const MOST_PAGES = 50;

/** Takes in what a page said; resolves with where in the files that was. */
type Hear = (session: string, tree: string, message: PageMessage) => Promise<readonly LocatedError[]>;

/** What a socket keeps while the object sleeps. */
interface Attached {
  readonly session: string;
  readonly head: string;
  readonly link: number;
  /** Root hash of the tree when it was opened. */
  readonly tree: string;
  /** How many errors it told. */
  readonly told: number;
}

/**
 * Sockets of pages of previews, which are told when the files change and tell what goes wrong in them. They hibernate with the
 * object. A socket says less than a link does: whoever has the link may open any number.
 */
export class LivePages {
  readonly #workspace: Pick<Workspace, "journal" | "trees">;
  readonly #host: SocketHost;
  readonly #hear: Hear;
  readonly #followed = new Set<string>();

  constructor(workspace: Pick<Workspace, "journal" | "trees">, host: SocketHost, hear: Hear) {
    this.#workspace = workspace;
    this.#host = host;
    this.#hear = hear;
    // Those that were opened before the object slept. What became of the files meanwhile, nobody has told them.
    for (const socket of host.get(TAG)) this.#catchUp(socket);
    workspace.journal.listenRemoval((session) => {
      for (const socket of host.get(TAG)) if (attached(socket).session === session) socket.close(LIVE_ENDED, "deleted");
    });
  }

  /** Accepts a page of a session's newest files. Throws `session-not-found`. */
  accept(session: string, link: number): Response {
    const { journal, trees } = this.#workspace;
    const { head } = journal.session(session);
    const open = this.#host.get(TAG).filter((socket) => attached(socket).session === session);
    if (open.length >= MOST_PAGES) return new Response("Too many pages of this preview are open.\n", { status: 429 });
    const pair = new WebSocketPair();
    const tree = trees.head(head);
    this.#host.accept(pair[1], [TAG]);
    attach(pair[1], { session, head, link, tree, told: 0 });
    this.#follow(head);
    pair[1].send(JSON.stringify({ tree }));
    return new Response(null, { status: 101, webSocket: pair[0] });
  }

  /** True for a socket of a page. */
  owns(socket: WebSocket): boolean {
    return this.#host.get(TAG).includes(socket);
  }

  /** Takes in what a page said, as far as it may say anything, and answers with places in the files. */
  hear(socket: WebSocket, data: string | ArrayBuffer): void {
    const message = readPageMessage(data);
    const { told, session, tree, ...rest } = attached(socket);
    if (!message || told >= MOST_PAGE_ERRORS) {
      socket.close(LIVE_REFUSED, "too much");
      return;
    }
    const errors = message.errors.slice(0, MOST_PAGE_ERRORS - told);
    attach(socket, { ...rest, session, tree, told: told + errors.length });
    this.#hear(session, tree, { ...message, errors }).then(
      (located) => send(socket, JSON.stringify({ located })),
      () => {
        // The tree is gone, or cannot be built any more: what was said of it is of no use.
      },
    );
  }

  /** Ends the pages of links that were revoked. */
  end(links: readonly number[]): void {
    for (const socket of this.#host.get(TAG)) {
      if (links.includes(attached(socket).link)) socket.close(LIVE_ENDED, "revoked");
    }
  }

  #catchUp(socket: WebSocket): void {
    const { session, head } = attached(socket);
    const { journal, trees } = this.#workspace;
    try {
      journal.session(session);
      send(socket, JSON.stringify({ tree: trees.head(head) }));
      this.#follow(head);
    } catch {
      // Whatever is wrong with a session, the object must start: the page asks again, and is told.
      socket.close(LIVE_ENDED, "gone");
    }
  }

  #follow(head: string): void {
    if (this.#followed.has(head)) return;
    this.#followed.add(head);
    const done = (): void => void this.#followed.delete(head);
    this.#tell(head).then(done, (error: unknown) => {
      done();
      if (!hasCode(error, "tree-not-found")) console.error("tenrec: pages of a preview are not told of changes");
    });
  }

  /** Ends with the head, or when there is no page of it any more. */
  async #tell(head: string): Promise<void> {
    for await (const { before, tree, changes } of watchHead(this.#workspace.trees, head)) {
      const pages = this.#host.get(TAG).filter((socket) => attached(socket).head === head);
      if (pages.length === 0) return;
      const styles = changes.every(isStyle) ? { before, styles: changes.map(({ path }) => path) } : {};
      for (const page of pages) send(page, JSON.stringify({ tree, ...styles }));
    }
  }
}

/** Whether what changed is a style sheet that was there before, and names no classes that scripts know. */
function isStyle({ path, change }: TreeChange): boolean {
  return path.endsWith(".css") && !path.endsWith(".module.css") && change === "modify";
}

function send(socket: WebSocket, text: string): void {
  try {
    socket.send(text);
  } catch {
    // It has closed meanwhile; the page comes back and asks.
  }
}

function attached(socket: WebSocket): Attached {
  return socket.deserializeAttachment() as Attached;
}

function attach(socket: WebSocket, value: Attached): void {
  socket.serializeAttachment(value);
}
