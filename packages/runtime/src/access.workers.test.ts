import { env } from "cloudflare:workers";
import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { objectName } from "./access.ts";
import { routeAgents } from "./index.ts";
import { AUTHORIZED, callApi, insideOf, nameOf, send, ticketOf, urlOf, watch, worker } from "./with-worker.ts";
import { setups, TestAgent } from "../vitest.worker.ts";

const STACK = /(\\n|\n)\s+at /;

describe("a socket on another path than watch", () => {
  test.each(["tree", "api/anything", "ticket"])("%s is refused, with a ticket too", async (path) => {
    const workspace = `socket-${path.replace("/", "-")}`;
    const url = `${urlOf(workspace, path)}?ticket=${encodeURIComponent(await ticketOf(workspace))}`;
    const response = await worker.fetch(new Request(url, { headers: { upgrade: "websocket" } }));
    expect(response.status).toBe(400);
    expect(response.webSocket).toBeNull();
    const seen = await insideOf(workspace, (agent) => [[...agent.getConnections()].length, agent.state]);
    expect(seen).toEqual([0, undefined]);
  });

  test("reaches no handler of the framework, even if it came to the object", async () => {
    const stub = env.TestAgent.getByName(await nameOf("socket-direct"));
    const headers = { upgrade: "websocket" };
    const response = await stub.fetch(new Request(urlOf("socket-direct", "tree"), { headers }));
    expect(response.status).toBe(404);
    expect(await insideOf("socket-direct", (agent) => [...agent.getConnections()].length)).toBe(0);
  });
});

describe("a header by which the framework takes orders", () => {
  test.each([
    ["that cannot be read", "{not json"],
    ["that sets properties", '{"admin":true}'],
  ])("%s is not passed on", async (_name, props) => {
    const workspace = `props-${props.length}`;
    const seen: unknown[] = [];
    setups.set(await nameOf(workspace), (agent) => {
      const onStart = agent.onStart.bind(agent);
      agent.onStart = (given) => {
        seen.push(given);
        return onStart(given);
      };
    });
    const headers = { "x-agents-lifecycle-props": props };
    const response = await send(workspace, "api/sessions.list", { method: "POST", headers, body: "{}" });
    expect(await response.json()).toEqual({ result: [] });
    expect(seen).toEqual([undefined]);
  });
});

describe("a refusal", () => {
  test.each([
    ["GET", "watch"],
    ["POST", "watch"],
    ["GET", "api/submit"],
    ["OPTIONS", "tree"],
    ["DELETE", "tree"],
    ["PUT", "tree"],
  ])("of %s %s says why, without a stack", async (method, path) => {
    const response = await send("methods", path, { method });
    const text = await response.text();
    expect(response.status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ error: { code: "request-invalid" } });
    expect(text).not.toMatch(STACK);
  });

  test("of a watch is a whole frame, however long the session's name, and then the close", async () => {
    const session = "日本語".repeat(60);
    const watching = await watch("long-name", `session=${encodeURIComponent(session)}`);
    expect(await watching.closed).toBe(4400);
    expect(watching.frames).toEqual([
      { type: "refusal", error: { code: "session-not-found", data: { session }, message: expect.any(String) } },
    ]);
    expect(JSON.stringify(watching.frames)).not.toMatch(STACK);
  });

  test("of an agent whose own fields throw at its start has no stack", async () => {
    let broken = false;
    setups.set(await nameOf("broken"), (agent) => {
      Object.defineProperty(agent, "budget", {
        get() {
          if (broken) throw new Error("BUDGET is not set");
          return {};
        },
      });
    });
    await callApi("broken", "sessions.create", { id: "s" });
    await insideOf("broken", (agent) => agent.ctx.storage.sync());
    broken = true;
    await abortAllDurableObjects();
    const text = await (await callApi("broken", "sessions.list", {})).text();
    expect(() => JSON.parse(text)).not.toThrow();
    expect(text).not.toMatch(STACK);
  });
});

describe("a page of an allowed origin", () => {
  const handler = routeAgents<Cloudflare.Env>({ TestAgent }, { origins: ["https://app.test"] });
  const call = (init: RequestInit): Promise<Response> =>
    handler(new Request(urlOf("cors", "api/sessions.list"), init), env, {} as ExecutionContext);
  const origin = "https://app.test";

  test("is told what it may send", async () => {
    const headers = {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type",
    };
    const response = await call({ method: "OPTIONS", headers });
    expect(response.ok).toBe(true);
    expect(response.headers.get("access-control-allow-origin")).toBe(origin);
    expect(response.headers.get("access-control-allow-headers")).toBe("authorization, content-type");
  });

  test.each([
    ["an answer", AUTHORIZED, 200],
    ["a refusal", {}, 401],
  ])("can read %s", async (_name, headers, status) => {
    const response = await call({ method: "POST", headers: { ...headers, origin }, body: "{}" });
    expect(response.status).toBe(status);
    expect(response.headers.get("access-control-allow-origin")).toBe(origin);
  });

  test.each([
    ["https://App.test./", "https://app.test"],
    ["https://app.test", "https://app.test."],
  ])("is known as %s when it is %s", async (allowed, from) => {
    const other = routeAgents<Cloudflare.Env>({ TestAgent }, { origins: [allowed] });
    const init = { method: "POST", headers: { ...AUTHORIZED, origin: from }, body: "{}" };
    const response = await other(new Request(urlOf("cors", "api/sessions.list"), init), env, {} as ExecutionContext);
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, from]);
  });

  test("is the only one that may", async () => {
    const response = await call({ method: "OPTIONS", headers: { origin: "https://evil.test" } });
    expect(response.status).toBe(401);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("a body", () => {
  test("without a declared length is not read past the limit", async () => {
    let sent = 0;
    const chunk = new Uint8Array(1024 * 1024);
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent >= 64) {
          controller.close();
          return;
        }
        sent += 1;
        controller.enqueue(chunk);
      },
    });
    const response = await send("endless", "api/submit", { method: "POST", body });
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(12);
  });

  test("of invalid UTF-8 is refused, not altered", async () => {
    await callApi("utf8", "sessions.create", { id: "s" });
    const body = new TextEncoder().encode('{"session":"s","input":"xx"}');
    body[body.length - 4] = 0xff;
    const response = await send("utf8", "api/submit", { method: "POST", body });
    expect(response.status).toBe(400);
  });

  test("with a handoff that is larger than a prompt may be is refused", async () => {
    await callApi("handoff", "sessions.create", { id: "s" });
    const handoff = "x".repeat(5 * 1024 * 1024);
    expect((await callApi("handoff", "sessions.reset", { session: "s", handoff })).status).toBe(413);
  });
});

test("objects whose user, class or workspace differ have different names, however these are spelt", async () => {
  const named: [user: string, agent: string, workspace: string][] = [
    ["u", "A", "b/c"],
    ["u", "A/b", "c"],
    ['u","A', "", "b"],
    ["u", "A", "b"],
    ["u", "A", "B"],
    ["u", "A", "b "],
    ["uA", "", "b"],
  ];
  const names = await Promise.all(named.map(([user, agent, name]) => objectName("k", user, agent, name)));
  expect(new Set(names).size).toBe(named.length);
});
