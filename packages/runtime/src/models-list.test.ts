import { describe, expect, test } from "vitest";
import { type ModelEnv, modelFromEnv } from "./models.ts";
import { listModels } from "./models-list.ts";
import { MODEL_VARIABLES } from "./models-providers.ts";
import { PRICES } from "./prices.ts";

function rows(env: ModelEnv, compatibleModels?: string[]): Record<string, string> {
  const listed = listModels(env, compatibleModels ? { compatibleModels } : {});
  return Object.fromEntries(listed.map((m) => [`${m.usable ? "+" : "-"}${m.chosen ? "*" : ""} ${m.model}`, m.because]));
}

describe("listModels", () => {
  test("without anything says for each provider what to set", () => {
    expect(rows({})).toEqual({
      "- anthropic/claude-sonnet-4-5": "Set ANTHROPIC_API_KEY.",
      "- openai/gpt-5.1": "Set OPENAI_API_KEY.",
      "- openai-compatible/<name>": "Set OPENAI_BASE_URL to an endpoint, such as http://localhost:11434/v1.",
      "- workers-ai/@cf/moonshotai/kimi-k2.7-code": 'Add "ai": { "binding": "AI" } to wrangler.jsonc.',
      "- gateway/anthropic/claude-sonnet-4-5": "Set AI_GATEWAY_URL, and CF_AIG_TOKEN to its token.",
    });
  });

  test("with everything says by what each is found, and which one is taken", () => {
    const env = {
      ANTHROPIC_API_KEY: "k",
      OPENAI_API_KEY: "k",
      AI: {},
      AI_GATEWAY_URL: "https://gateway.ai.cloudflare.com/v1/a/g",
      CF_AIG_TOKEN: "t",
    };
    expect(rows(env)).toMatchObject({
      "+* anthropic/claude-sonnet-4-5": "ANTHROPIC_API_KEY is set, through the gateway at AI_GATEWAY_URL.",
      "+ openai/gpt-5.1": "OPENAI_API_KEY is set, through the gateway at AI_GATEWAY_URL.",
      "+ workers-ai/@cf/moonshotai/kimi-k2.7-code": "The AI binding is there, through the gateway at AI_GATEWAY_URL.",
      "+ gateway/anthropic/claude-sonnet-4-5":
        "AI_GATEWAY_URL is set, with CF_AIG_TOKEN. The gateway must hold the provider's key.",
    });
  });

  test("an endpoint is to be asked, and then each of its models is listed", () => {
    const env = { OPENAI_BASE_URL: "http://localhost:11434/v1/", OPENAI_API_KEY: "k" };
    expect(listModels(env).find(({ provider }) => provider === "openai-compatible")).toEqual({
      provider: "openai-compatible",
      model: "openai-compatible/<name>",
      usable: true,
      because: "OPENAI_BASE_URL is set, with OPENAI_API_KEY.",
      chosen: true,
      ask: "http://localhost:11434/v1/models",
    });
    expect(Object.keys(rows(env, ["qwen3", "gpt-oss:20b"]))).toEqual([
      "- anthropic/claude-sonnet-4-5",
      // That key is the endpoint's.
      "- openai/gpt-5.1",
      "+* openai-compatible/qwen3",
      "+ openai-compatible/gpt-oss:20b",
      "- workers-ai/@cf/moonshotai/kimi-k2.7-code",
      "- gateway/anthropic/claude-sonnet-4-5",
    ]);
  });

  test.each([
    ["openai/gpt-5-mini", { OPENAI_API_KEY: "k" }, "+*", "Named by TENREC_MODEL. OPENAI_API_KEY is set."],
    ["anthropic/claude-x", {}, "-*", "Named by TENREC_MODEL. Set ANTHROPIC_API_KEY."],
    ["mine/x", {}, "-*", '"mine" is no provider here, unless the agent\'s own `providers` add it.'],
    ["gpt", {}, "-*", "TENREC_MODEL has to be provider/name, such as anthropic/claude-sonnet-4-5."],
  ])("TENREC_MODEL=%s with %j is listed first", (model, more, sign, because) => {
    const [first] = Object.entries(rows({ TENREC_MODEL: model, ...more }));
    expect(first).toEqual([`${sign} ${model}`, because]);
  });

  test.each([{}, { AI: {} }, { OPENAI_API_KEY: "k" }, { ANTHROPIC_API_KEY: "k", AI: {} }, { TENREC_MODEL: "a/b" }])(
    "%j: what is chosen is what an agent takes",
    (env) => {
      expect(listModels(env).find(({ chosen }) => chosen)?.model).toBe(modelFromEnv(env)?.model);
    },
  );

  test("has the price, by the table that it is given", () => {
    const [model] = listModels({ ANTHROPIC_API_KEY: "k" });
    expect(model?.price).toEqual(PRICES["anthropic/claude-sonnet-4-5"]);
    expect(listModels({}).find(({ provider }) => provider === "gateway")?.price).toEqual(model?.price);
    expect(listModels({}, { prices: {} })[0]).not.toHaveProperty("price");
  });
});

test("the variables that a program has to hand on", () => {
  expect(MODEL_VARIABLES).toEqual([
    "TENREC_MODEL",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
    "OPENAI_API_KEY",
    "OPENAI_API_BASE",
    "OPENAI_BASE_URL",
    "CF_AIG_TOKEN",
    "AI_GATEWAY_URL",
  ]);
});
