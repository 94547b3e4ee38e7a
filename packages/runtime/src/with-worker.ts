import type { WatchFrame } from "@tenrec/protocol";
import type { Script } from "@tenrec/testkit";
import { runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { objectName } from "./access.ts";
import { type AgentClient, connect, type SessionClient } from "./client/index.ts";
import { scripts, setups, type TestAgent } from "../vitest.worker.ts";

/** The Worker under test, in this isolate. */
export const worker: { fetch(request: Request): Promise<Response> } = (
  exports as unknown as { default: { fetch(request: Request): Promise<Response> } }
).default;

export const AUTHORIZED: Readonly<Record<string, string>> = { authorization: "Bearer test-token" };

export function urlOf(workspace: string, path: string): string {
  return `https://tenrec.test/agents/test-agent/${workspace}/${path}`;
}

/** An authorized request. */
export function send(workspace: string, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (!headers.has("authorization")) headers.set("authorization", "Bearer test-token");
  return worker.fetch(new Request(urlOf(workspace, path), { ...init, headers }));
}

export function callApi(workspace: string, method: string, params: unknown): Promise<Response> {
  return send(workspace, `api/${method}`, { method: "POST", body: JSON.stringify(params) });
}

export async function ticketOf(workspace: string): Promise<string> {
  const response = await send(workspace, "ticket", { method: "POST" });
  return ((await response.json()) as { ticket: string }).ticket;
}

/** The name of a workspace's object. */
export function nameOf(workspace: string): Promise<string> {
  return objectName("test-secret", "owner", "TestAgent", workspace);
}

/** Runs inside the object of a workspace. */
export async function insideOf<T>(workspace: string, run: (agent: TestAgent) => T | Promise<T>): Promise<T> {
  return runInDurableObject(env.TestAgent.getByName(await nameOf(workspace)), run);
}

/** A client whose requests go straight to the Worker, and a new session of a workspace whose model is a script. */
export async function clientOf(workspace: string, steps: Script["steps"]): Promise<SessionClient> {
  return (await agentOf(workspace, steps)).session;
}

/** The same, and the client of the whole agent. */
export async function agentOf(
  workspace: string,
  steps: Script["steps"],
): Promise<{ readonly agent: AgentClient; readonly session: SessionClient }> {
  scripts.set(workspace, { model: workspace, steps });
  setups.set(await nameOf(workspace), (agent) => {
    agent.model = `scripted/${workspace}`;
  });
  const agent = connect(`wss://tenrec.test/agents/test-agent/${workspace}`, {
    token: "test-token",
    fetch: (input, init) => worker.fetch(new Request(input as string, init)),
  });
  return { agent, session: await agent.sessions.create({ title: "Test" }) };
}

export interface Watching {
  /** What came so far. */
  readonly frames: readonly WatchFrame[];
  /** Lengths of the messages so far, in UTF-16 units. */
  readonly sizes: readonly number[];
  /** Resolves with the code when the socket has closed. */
  readonly closed: Promise<number>;
  /** Resolves once one of the frames fits; rejects when the socket closes before. */
  until(fits: (frame: WatchFrame) => boolean): Promise<void>;
  close(): void;
}

/** Opens a socket as the client does. */
export async function watch(workspace: string, query: string): Promise<Watching> {
  const url = `${urlOf(workspace, "watch")}?${query}&ticket=${encodeURIComponent(await ticketOf(workspace))}`;
  const response = await worker.fetch(new Request(url, { headers: { upgrade: "websocket" } }));
  const socket = response.webSocket;
  if (!socket) throw new Error(`no socket: ${response.status} ${await response.text()}`);
  const frames: WatchFrame[] = [];
  const sizes: number[] = [];
  const { promise: closed, resolve } = Promise.withResolvers<number>();
  let changed = Promise.withResolvers<void>();
  socket.addEventListener("message", ({ data }) => {
    sizes.push(String(data).length);
    frames.push(...(JSON.parse(String(data)) as WatchFrame[]));
    changed.resolve();
    changed = Promise.withResolvers();
  });
  socket.addEventListener("close", ({ code }) => {
    resolve(code);
    changed.resolve();
  });
  let isClosed = false;
  void closed.then(() => {
    isClosed = true;
  });
  socket.accept();
  return {
    frames,
    sizes,
    closed,
    async until(fits) {
      while (!frames.some(fits)) {
        if (isClosed) throw new Error("the socket closed");
        await changed.promise;
      }
    },
    close: () => socket.close(),
  };
}
