import { generateText } from "ai";
import { afterEach, describe, expect, test, vi } from "vitest";
import { modelFromEnv, resolveModel } from "./models.ts";

describe("modelFromEnv", () => {
  test.each([
    [{}, undefined],
    [{ AI: {} }, "workers-ai/@cf/moonshotai/kimi-k2.7-code"],
    [{ AI: {}, OPENAI_BASE_URL: "http://localhost:11434/v1" }, "openai-compatible/default"],
    [{ OPENAI_BASE_URL: "http://localhost/v1", OPENAI_API_KEY: "k" }, "openai-compatible/default"],
    [{ OPENAI_API_KEY: "k", AI: {} }, "openai/gpt-5.1"],
    [{ ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", OPENAI_BASE_URL: "u", AI: {} }, "anthropic/claude-sonnet-4-5"],
    [{ TENREC_MODEL: "openai/x", ANTHROPIC_API_KEY: "k" }, "openai/x"],
  ])("%j → %s", (env, model) => {
    expect(modelFromEnv(env)?.model).toBe(model);
  });
});

describe("resolveModel", () => {
  const env = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://localhost/v1", AI: { run() {} } };

  test.each(["anthropic/claude-sonnet-4-5", "openai/gpt-5.1", "openai-compatible/qwen", "workers-ai/@cf/a/b"])(
    "%s",
    async (name) => {
      const model = await resolveModel(name, env);
      expect(model).toMatchObject({ modelId: name.slice(name.indexOf("/") + 1) });
    },
  );

  test.each([
    ["anthropic/x", "ANTHROPIC_API_KEY"],
    ["openai/x", "OPENAI_API_KEY"],
    ["openai-compatible/x", "OPENAI_BASE_URL"],
    ["workers-ai/x", "Workers AI binding"],
  ])("%s without its variable says what to set", async (name, needs) => {
    await expect(resolveModel(name, {})).rejects.toMatchObject({
      code: "model-not-configured",
      message: expect.stringContaining(needs),
    });
  });

  test.each(["", "gpt", "anthropic/", "/x", "toString/x", "mistral/x"])(
    "%j is unknown, and the forms are listed",
    async (name) => {
      await expect(resolveModel(name, env, { own: () => "x" as never })).rejects.toMatchObject({
        code: "model-unknown",
        data: { model: name, known: expect.arrayContaining(["anthropic/<name>", "own/<name>"]) },
      });
    },
  );

  test("a provider of the agent wins", async () => {
    const own = { specificationVersion: "v4" } as never;
    expect(await resolveModel("openai/x", env, { openai: () => own })).toBe(own);
  });
});

describe("where a request goes", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  });

  /** The address of a request, and the gateway's token in it. */
  async function sent(model: string, env: object): Promise<[string, string | null]> {
    let seen: [string, string | null] = ["", null];
    vi.stubGlobal("fetch", async (input: string | URL | Request, init?: RequestInit) => {
      const request = new Request(input, init);
      seen = [request.url, request.headers.get("cf-aig-authorization")];
      return new Response("{}", { status: 401 });
    });
    await generateText({ model: await resolveModel(model, env), prompt: "hi", maxRetries: 0 }).catch(() => {});
    return seen;
  }

  const keys = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", CF_AIG_TOKEN: "t" };
  const gateway = "https://gateway.ai.cloudflare.com/v1/a/g";

  test.each([
    ["anthropic/x", {}, "https://api.anthropic.com/v1/messages", null],
    ["anthropic/x", { ANTHROPIC_BASE_URL: "https://a.test/v1/" }, "https://a.test/v1/messages", null],
    // As Anthropic's own packages take it.
    ["anthropic/x", { ANTHROPIC_BASE_URL: "https://a.test/anthropic" }, "https://a.test/anthropic/v1/messages", null],
    ["anthropic/x", { ANTHROPIC_BASE_URL: "" }, "https://api.anthropic.com/v1/messages", null],
    ["anthropic/x", { ANTHROPIC_BASE_URL: `${gateway}/anthropic` }, `${gateway}/anthropic/v1/messages`, "Bearer t"],
    [
      "anthropic/x",
      { AI_GATEWAY_URL: `${gateway}/`, ANTHROPIC_BASE_URL: "https://a.test" },
      `${gateway}/anthropic/v1/messages`,
      "Bearer t",
    ],
    ["openai/x", { OPENAI_BASE_URL: "http://localhost/v1" }, "https://api.openai.com/v1/responses", null],
    ["openai/x", { OPENAI_API_BASE: "https://o.test/v1" }, "https://o.test/v1/responses", null],
    ["openai/x", { AI_GATEWAY_URL: gateway }, `${gateway}/openai/responses`, "Bearer t"],
    [
      "openai-compatible/x",
      { OPENAI_BASE_URL: "http://localhost/v1", AI_GATEWAY_URL: gateway },
      "http://localhost/v1/chat/completions",
      null,
    ],
    ["openai-compatible/x", { OPENAI_BASE_URL: `${gateway}/compat` }, `${gateway}/compat/chat/completions`, "Bearer t"],
    [
      "openai-compatible/x",
      { OPENAI_BASE_URL: "https://proxy.test/gateway-2/v1", AI_GATEWAY_URL: "https://proxy.test/gateway" },
      "https://proxy.test/gateway-2/v1/chat/completions",
      null,
    ],
    ["gateway/openai/x", { AI_GATEWAY_URL: gateway }, `${gateway}/compat/chat/completions`, "Bearer t"],
  ])("%s with %j goes to %s", async (model, env, url, token) => {
    expect(await sent(model, { ...keys, ...env })).toEqual([url, token]);
  });

  test("variables of the process, which a Worker has too, are not read behind its back", async () => {
    vi.stubEnv("OPENAI_BASE_URL", "http://other.test/v1");
    vi.stubEnv("ANTHROPIC_BASE_URL", "http://other.test/v1");
    expect(await sent("openai/x", keys)).toEqual(["https://api.openai.com/v1/responses", null]);
    expect(await sent("anthropic/x", keys)).toEqual(["https://api.anthropic.com/v1/messages", null]);
  });
});
