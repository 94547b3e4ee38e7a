import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { makeTicket, readTicket } from "./access.ts";
import { API_ACCESS } from "./api-methods.ts";
import { routeAgents } from "./index.ts";
import { clientOf, insideOf, urlOf } from "./with-worker.ts";

const guest = { user: "owner", role: "spectator" } as const;
const handler = routeAgents<Cloudflare.Env>(
  { TestAgent: class {} as never },
  { authenticate: async (request) => (request.headers.get("authorization") === "Bearer guest" ? guest : undefined) },
);

function ask(workspace: string, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: "Bearer guest", ...(init.headers as Record<string, string>) };
  return handler(new Request(urlOf(workspace, path), { ...init, headers }), env, {} as ExecutionContext);
}

function call(workspace: string, method: string, params: unknown): Promise<Response> {
  return ask(workspace, `api/${method}`, { method: "POST", body: JSON.stringify(params) });
}

const methods = Object.entries(API_ACCESS);

describe("a spectator", () => {
  test.each(methods.filter(([, access]) => access === "write"))("may not call %s", async (method) => {
    const response = await call("watched", method, {});
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { code: "forbidden", data: { role: "spectator" } } });
  });

  test.each(methods.filter(([, access]) => access === "read"))("may call %s", async (method) => {
    // Nothing is refused but what the method itself does not understand.
    expect([200, 400]).toContain((await call("watched", method, {})).status);
  });

  test.each([
    ["PUT", "tree"],
    ["POST", "api/unknown"],
    ["POST", "api/toString"],
    ["DELETE", "tree"],
  ])("may not send %s %s", async (method, path) => {
    const body = method === "PUT" ? "x" : null;
    expect((await ask("watched", path, { method, body })).status).toBe(403);
  });

  test.each(["tree", "export"])("may read %s", async (path) => {
    const session = await clientOf(`reads-${path}`, []);
    const response = await ask(`reads-${path}`, `${path}?session=${session.id}`);
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });

  test("sees the owner's sessions and files, and cannot answer an approval, which goes on waiting", async () => {
    const session = await clientOf("approved", [{ say: [{ call: "ls", input: {} }] }, { say: [{ text: "Done." }] }]);
    await insideOf("approved", (agent) => {
      agent.policy = { read: "ask" };
    });
    await session.submit("go", { operationId: "op" });
    const waiting = await session.wait("op");
    if (waiting.status !== "waiting") throw new Error(waiting.status);
    const { approvalId } = waiting;
    const listed = (await (await call("approved", "sessions.list", {})).json()) as { result: { id: string }[] };
    expect(listed.result.map(({ id }) => id)).toEqual([session.id]);
    expect((await ask("approved", `tree?session=${session.id}`)).status).toBe(200);
    const answered = await call("approved", "answer", { session: session.id, approvalId, approved: true });
    expect(answered.status).toBe(403);
    expect(await session.pending()).toMatchObject([{ approvalId }]);
    await session.answer(approvalId, { approved: true });
    expect(await session.wait("op")).toMatchObject({ status: "done" });
  });

  test("watches with a ticket, which carries the role and cannot be turned into another one", async () => {
    const session = await clientOf("shown", []);
    const { ticket } = (await (await ask("shown", "ticket", { method: "POST" })).json()) as { ticket: string };
    const headers = { upgrade: "websocket" };
    const query = `session=${session.id}&ticket=${encodeURIComponent(ticket)}`;
    const watching = await ask("shown", `watch?${query}`, { headers });
    expect(watching.status).toBe(101);
    watching.webSocket?.accept();
    watching.webSocket?.close();
    expect(await readTicket("test-secret", ticket, "TestAgent/shown", Date.now())).toEqual(guest);
    const [expires, , signature] = ticket.split(".");
    const other = (await makeTicket("k", { user: "owner", role: "owner" }, "TestAgent/shown", Date.now())).split(
      ".",
    )[1];
    const forged = `${expires}.${other}.${signature}`;
    expect(await readTicket("test-secret", forged, "TestAgent/shown", Date.now())).toBeUndefined();
  });
});
