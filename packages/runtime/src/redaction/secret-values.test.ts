import { expect, test } from "vitest";
import { secretValues } from "./secret-values.ts";

test("knows secrets by the names of their variables", () => {
  const env = {
    OPENAI_API_KEY: "key-of-openai",
    CF_AIG_TOKEN: "token-of-gateway",
    TENREC_SECRET: "secret-of-tenrec",
    DB_PASSWORD: " padded-password\n",
    TOKEN: "bare-token-value",
    TENREC_MODEL: "anthropic/claude",
    SORT_KEY: "short",
    STRIPE_PUBLIC_KEY: "public-key-value",
    KEYBOARD: "qwerty-layout",
    DB: {},
  };
  expect(secretValues(env, []).toSorted()).toEqual([
    "bare-token-value",
    "key-of-openai",
    "padded-password",
    "secret-of-tenrec",
    "token-of-gateway",
  ]);
});

test("takes more of them by name or value, in the forms in which they may stand", () => {
  const values = secretValues({ GREETING: 'say "hi" & go' }, ["GREETING", "pin"]);
  expect(values).toEqual(['say "hi" & go', 'say \\"hi\\" & go', "say%20%22hi%22%20%26%20go", "pin"]);
});
