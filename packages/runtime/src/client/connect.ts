import type { SessionInfo, SessionPoint } from "@tenrec/protocol";
import type { Usage } from "@tenrec/vfs";
import { call, type Connection } from "./call.ts";
import { type SessionClient, sessionClient } from "./session-client.ts";

export interface ConnectOptions {
  readonly token: string;
  /** Default: the platform's. */
  readonly fetch?: typeof fetch;
}

/** An agent, from any JavaScript: a browser, Node or another Worker. */
export interface AgentClient {
  readonly url: string;
  /** A session that exists. Nothing is sent until it is used. */
  session(id: string): SessionClient;
  readonly sessions: {
    /** `filesFrom` gives it files of its own: a copy of that session's, or with `null` none. Default: the workspace's. */
    create(options?: { title?: string; id?: string; filesFrom?: string | null }): Promise<SessionClient>;
    /** A new session with the history and the files of another, as they are or as they were `at` a moment. */
    fork(from: string, options?: { at?: SessionPoint }): Promise<SessionClient>;
    list(): Promise<SessionInfo[]>;
  };
  /** What the workspace stores, over all sessions and all of history. */
  usage(): Promise<Usage>;
}

/** A client for the agent at `http(s)://` or `ws(s)://host/agents/<class>/<workspace>`. Nothing is sent yet. */
export function connect(url: string, options: ConnectOptions): AgentClient {
  const base = url.replace(/^ws/, "http").replace(/\/+$/, "");
  const fetchFrom = options.fetch ?? globalThis.fetch.bind(globalThis);
  const connection: Connection = { url: base, token: options.token, fetch: fetchFrom };
  const session = (id: string): SessionClient => sessionClient(connection, id);
  return {
    url: base,
    session,
    usage: () => call(connection, "files.usage", {}),
    sessions: {
      create: async (create = {}) => session((await call(connection, "sessions.create", create)).id),
      fork: async (from, options = {}) => session((await call(connection, "sessions.fork", { from, ...options })).id),
      list: () => call(connection, "sessions.list", {}),
    },
  };
}
