import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chooseModel } from "./choose-model.ts";

const folder = mkdtempSync(join(tmpdir(), "tenrec-model-"));
const script = { model: "demo", steps: [{ say: [{ text: "Hello." }] }] };
writeFileSync(join(folder, "demo.json"), JSON.stringify(script));
writeFileSync(join(folder, "bad.json"), "{}");

test.each([
  [undefined, { ANTHROPIC_API_KEY: "k" }, "anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"],
  [undefined, { TENREC_MODEL: "openai/x", OPENAI_API_KEY: "k" }, "openai/x", "TENREC_MODEL"],
  ["openai/y", { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" }, "openai/y", "--model"],
  ["openai-compatible/org/z", { OPENAI_BASE_URL: "http://x/v1" }, "openai-compatible/org/z", "--model"],
])("named %s with %j", async (named, env, model, because) => {
  expect(await chooseModel(named, env, folder)).toMatchObject({ model, because });
});

test("a script is named by its path, wherever the next command is called", async () => {
  const chosen = await chooseModel("scripted/demo.json", {}, folder);
  expect(chosen).toMatchObject({ model: "scripted/demo", name: `scripted/${join(folder, "demo.json")}`, script });
});

test.each([
  [undefined, {}, /^No model is configured/],
  [undefined, { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" }, /cannot be reached/],
  [undefined, { TENREC_MODEL: "openai/x" }, /^openai\/x needs OPENAI_API_KEY/],
  ["antropic/x", {}, /Did you mean anthropic\/x\?/],
  ["gpt", {}, /There is no model "gpt"/],
  ["anthropic/", { ANTHROPIC_API_KEY: "k" }, /There is no model/],
  ["anthropic/x", {}, /needs ANTHROPIC_API_KEY/],
  ["scripted/none.json", {}, /cannot be played: ENOENT/],
  ["scripted/bad.json", {}, /cannot be played: .*not a script/],
])("named %s with %j says what to do", async (named, env, message) => {
  await expect(chooseModel(named, env, folder)).rejects.toThrow(message);
});
