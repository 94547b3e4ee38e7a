import { exports } from "cloudflare:workers";
import { connect, type SessionClient } from "@tenrec/runtime/client";
import type { ScriptPart, ScriptStep } from "@tenrec/testkit";
import { expect } from "vitest";
import { names, script } from "../vitest.agent.worker.ts";

/** The Worker under test, in this isolate. */
export const worker: { fetch(request: Request): Promise<Response> } = (
  exports as unknown as { default: { fetch(request: Request): Promise<Response> } }
).default;

let count = 0;

/** A session of a new workspace whose model says this. */
export async function sessionOf(steps: readonly ScriptStep[]): Promise<SessionClient> {
  count += 1;
  script.current = { model: "test", steps: [...steps] };
  const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> =>
    worker.fetch(new Request(input, init));
  const agent = connect(`http://localhost:8787/agents/test-agent/w${count}`, {
    token: "test-token",
    fetch: fetch as never,
  });
  return agent.sessions.create();
}

export async function submit(session: SessionClient, text: string): Promise<void> {
  const { operationId } = await session.submit(text);
  const status = await session.wait(operationId);
  expect(status).toMatchObject({ status: "done" });
}

/** The call that writes a file. */
export const write = (path: string, content: string | object): ScriptPart => ({
  call: "write",
  input: { path, content: typeof content === "string" ? content : JSON.stringify(content) },
});
/** An app that answers everything with a text. */
export const answers = (text: string): string =>
  `export default { fetch: () => new Response(${JSON.stringify(text)}) };`;

/** The name of the object of the session that was made last. */
export function lastObject(): string {
  const name = [...names].at(-1);
  if (name === undefined) throw new Error("no object was made by its name");
  return name;
}

export interface Live {
  readonly socket: WebSocket;
  readonly said: string[];
  readonly closed: Promise<number>;
}

/** The socket of a page, as its script opens it. */
export async function openLive(base: string): Promise<Live> {
  const request = new Request(`${base}@tenrec/live`, { headers: { upgrade: "websocket" } });
  const { webSocket } = await worker.fetch(request);
  if (!webSocket) throw new Error("no socket");
  const said: string[] = [];
  webSocket.addEventListener("message", ({ data }) => void said.push(String(data)));
  const closed = new Promise<number>((resolve) => webSocket.addEventListener("close", ({ code }) => resolve(code)));
  webSocket.accept();
  return { socket: webSocket, said, closed };
}
