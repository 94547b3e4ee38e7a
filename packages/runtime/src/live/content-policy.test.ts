import { expect, test } from "vitest";
import { widenPolicy } from "./content-policy.ts";

const additions = { nonce: "n", connect: ["wss://app.test/live"] };

test.each([
  ["nothing that it would forbid", "img-src 'self'", "img-src 'self'"],
  ["an empty policy", "", ""],
  [
    "a list of sources",
    "script-src 'self'; connect-src 'self'",
    "script-src 'self' 'nonce-n'; connect-src 'self' wss://app.test/live",
  ],
  [
    "what the others fall back to",
    "default-src 'self'",
    "default-src 'self'; script-src-elem 'self' 'nonce-n'; connect-src 'self' wss://app.test/live",
  ],
  ["none", "script-src 'none'; connect-src 'NONE'", "script-src 'nonce-n'; connect-src wss://app.test/live"],
  [
    "inline scripts, which a nonce would forbid",
    "script-src 'self' 'unsafe-inline'",
    "script-src 'self' 'unsafe-inline'",
  ],
  [
    "a nonce, beside which inline scripts are forbidden already",
    "script-src 'unsafe-inline' 'nonce-a'",
    "script-src 'unsafe-inline' 'nonce-a' 'nonce-n'",
  ],
  ["elements, which go before scripts", "script-src a; script-src-elem b", "script-src a; script-src-elem b 'nonce-n'"],
  ["the first of two", "script-src a; script-src b", "script-src a 'nonce-n'; script-src b"],
  ["two policies", "script-src a, script-src b", "script-src a 'nonce-n', script-src b 'nonce-n'"],
  ["a sandbox", "sandbox allow-scripts", "sandbox allow-scripts"],
])("%s", (_name, policy, expected) => {
  expect(widenPolicy(policy, additions)).toBe(expected);
});
