import { describe, expect, test } from "vitest";
import { manualClock } from "./fakes/manual-clock.ts";
import type { ModelServer } from "./model-server.ts";
import { modelServer } from "./model-server.ts";
import type { Script, ScriptPart } from "./script/script.ts";

const script = (model: string, ...say: ScriptPart[]): Script => ({ model, steps: [{ say }] });

function post(server: ModelServer, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return server.fetch(new Request("http://x.invalid/v1/chat/completions", { method: "POST", headers, body: text }));
}

const ask = (model: string, extra: object = {}): object => ({
  model,
  messages: [{ role: "user", content: "hi" }],
  ...extra,
});

async function errorOf(response: Response): Promise<{ status: number; message: string; code: string | null }> {
  const { error } = (await response.json()) as { error: { message: string; code: string | null } };
  return { status: response.status, message: error.message, code: error.code };
}

function postTo(
  server: ModelServer,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  const request = new Request(`http://x.invalid${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return server.fetch(request);
}

describe("modelServer", () => {
  test("lists its models", async () => {
    const server = modelServer([script("a"), script("b")]);
    server.addScript(script("c"));
    const response = await server.fetch(new Request("http://x.invalid/v1/models"));
    expect(await response.json()).toMatchObject({ object: "list", data: [{ id: "a" }, { id: "b" }, { id: "c" }] });
  });

  test("refuses an unknown model, and names those that it has", async () => {
    expect(await errorOf(await post(modelServer(script("a")), ask("z")))).toEqual({
      status: 404,
      message: 'The model "z" does not exist. There are: a.',
      code: "model_not_found",
    });
  });

  test.each<[string, Record<string, string>, number]>([
    ["no key", {}, 401],
    ["a wrong key", { authorization: "Bearer no" }, 401],
    ["the key", { authorization: "Bearer secret" }, 200],
  ])("with a key to insist on, answers %s", async (_name, headers, status) => {
    const server = modelServer(script("a", { text: "ok" }), { apiKey: "secret" });
    expect((await post(server, ask("a"), headers)).status).toBe(status);
  });

  test.each<[string, unknown, string]>([
    ["what is not JSON", "{", "The body is not JSON"],
    ["what is no request", { model: "a" }, "messages is not a list"],
  ])("refuses %s", async (_name, body, message) => {
    const error = await errorOf(await post(modelServer(script("a")), body));
    expect(error).toMatchObject({ status: 400, message: expect.stringContaining(message) });
  });

  test("refuses a call without a result, as providers do", async () => {
    const call = { id: "1", type: "function", function: { name: "ls", arguments: "{}" } };
    const messages = [
      { role: "user", content: "hi" },
      { role: "assistant", content: "", tool_calls: [call] },
    ];
    const server = modelServer(script("a", { text: "ok" }));
    const refused = [messages, [...messages, { role: "user", content: "go on" }]];
    for (const asked of refused) {
      expect(await errorOf(await post(server, { model: "a", messages: asked }))).toMatchObject({
        status: 400,
        message: expect.stringContaining("There is none for: 1."),
      });
    }
  });

  test("does not know other paths", async () => {
    const response = await modelServer([]).fetch(new Request("http://x.invalid/v1/embeddings", { method: "POST" }));
    expect(await errorOf(response)).toMatchObject({ status: 404, message: "There is no POST /v1/embeddings." });
  });

  test("records what it was asked and the step that answered", async () => {
    const server = modelServer(script("a", { text: "ok" }));
    await post(server, ask("a"), { "x-test": "1" });
    await post(server, ask("z"));
    expect(server.requests).toMatchObject([
      { model: "a", step: 0, body: ask("a"), headers: { "x-test": "1" } },
      { model: "z", body: ask("z") },
    ]);
    expect(server.requests[1]).not.toHaveProperty("step");
  });

  test("rejects where the connection is cut at the start", async () => {
    await expect(post(modelServer(script("a", { cut: true })), ask("a"))).rejects.toThrow("the connection is closed");
  });

  test("a delay waits on the clock, and stamps come from it", async () => {
    const clock = manualClock(5_000);
    const answer = post(modelServer(script("a", { delay: 2_000 }, { text: "ok" }), { clock }), ask("a"));
    await clock.advance(2_000);
    expect(await (await answer).json()).toMatchObject({ created: 7 });
  });

  test("records no keys, and what is not JSON as text", async () => {
    const server = modelServer([]);
    await post(server, "{", {
      authorization: "Bearer secret",
      "x-api-key": "secret",
      "cf-aig-authorization": "secret",
    });
    expect(server.requests).toMatchObject([
      { path: "/v1/chat/completions", body: "{", headers: { authorization: "Bearer ***", "x-api-key": "***" } },
    ]);
    expect(JSON.stringify(server.requests)).not.toContain("secret");
  });

  test("a wait can be told as a date", async () => {
    const error = { status: 429, message: "m", retryAfter: 2, retryAfterDate: true };
    const response = await post(modelServer(script("a", { error }), { clock: manualClock(5_000) }), ask("a"));
    expect(response.headers.get("retry-after")).toBe("Thu, 01 Jan 1970 00:00:07 GMT");
  });

  test("sends usage in a stream only when asked", async () => {
    const read = async (extra: object): Promise<string> =>
      (await post(modelServer(script("a", { text: "ok" })), ask("a", { stream: true, ...extra }))).text();
    expect(await read({})).not.toContain("usage");
    expect(await read({ stream_options: { include_usage: true } })).toContain('"prompt_tokens":1');
  });
});

describe("the forms of errors", () => {
  const version = { "anthropic-version": "2023-06-01" };
  const message = { max_tokens: 1, ...ask("a") };

  test.each<[string, string, object, Record<string, string>, object]>([
    ["Chat Completions", "/v1/chat/completions", ask("a"), {}, { error: { code: "rate_limit_exceeded" } }],
    ["Responses", "/v1/responses", { model: "a", input: "hi" }, {}, { error: { code: "rate_limit_exceeded" } }],
    ["Anthropic", "/v1/messages", message, version, { type: "error", error: { type: "rate_limit_error" } }],
    ["Workers AI", "/client/v4/accounts/x/ai/run/@cf/a", ask(""), {}, { success: false, errors: [{ code: 3036 }] }],
  ])("%s", async (_name, path, body, headers, expected) => {
    const error = { status: 429, message: "not now" };
    const server = modelServer([script("a", { error }), script("@cf/a", { error })]);
    const response = await postTo(server, path, body, headers);
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject(expected);
  });

  test("a script can name the error itself", async () => {
    const server = modelServer(script("a", { error: { status: 429, message: "m", code: "insufficient_quota" } }));
    expect(await errorOf(await post(server, ask("a")))).toMatchObject({ code: "insufficient_quota" });
  });

  test("Anthropic asks for its version and for max_tokens", async () => {
    const server = modelServer(script("a", { text: "ok" }));
    const reasons = [
      await (await postTo(server, "/v1/messages", message)).json(),
      await (await postTo(server, "/v1/messages", ask("a"), version)).json(),
    ];
    expect(reasons).toMatchObject([
      { error: { message: "anthropic-version: header is required" } },
      { error: { message: "max_tokens: Field required" } },
    ]);
  });

  test("Anthropic's key stands in a header of its own, and its list of models has its own form", async () => {
    const server = modelServer(script("a", { text: "ok" }), { apiKey: "secret" });
    const list = (headers: Record<string, string>): Promise<Response> =>
      server.fetch(new Request("http://x.invalid/v1/models", { headers: { ...version, ...headers } }));
    expect((await list({ "x-api-key": "no" })).status).toBe(401);
    expect(await (await list({ "x-api-key": "secret" })).json()).toMatchObject({ data: [{ type: "model", id: "a" }] });
  });
});
