import { expect, test } from "vitest";
import { modelNote } from "./model-note.ts";
import { modelVariables } from "./model-variables.ts";

test("takes what a model needs from the environment, and nothing that is empty", () => {
  const env = {
    ANTHROPIC_API_KEY: " key ",
    OPENAI_API_KEY: "",
    OPENAI_BASE_URL: " ",
    TENREC_MODEL: "a/b",
    HOME: "/root",
  };
  expect(modelVariables(env)).toEqual({ ANTHROPIC_API_KEY: "key", TENREC_MODEL: "a/b" });
});

test.each([
  ["scripted/tour", {}, undefined, /^No key for a model is set, so a script plays the model/],
  ["anthropic/x", { ANTHROPIC_API_KEY: "k" }, undefined, /is anthropic\/x, because of ANTHROPIC_API_KEY/],
  ["anthropic/x", {}, undefined, /is anthropic\/x, as the Worker names it/],
  ["openai/x", { OPENAI_API_KEY: "k" }, undefined, /because of OPENAI_API_KEY/],
  ["openai-compatible/x", { OPENAI_BASE_URL: "u" }, { name: "x" }, /because of OPENAI_BASE_URL/],
  ["workers-ai/@cf/x", {}, undefined, /is workers-ai\/@cf\/x, as the Worker names it/],
  ["openai/x", { TENREC_MODEL: "openai/x" }, undefined, /because of TENREC_MODEL/],
  ["openai-compatible/default", {}, { problem: "It is down." }, /^It is down.\nUntil then/],
])("of %s says where it comes from", (model, variables, endpoint, expected) => {
  expect(modelNote(model, variables, endpoint)).toMatch(expected);
});
