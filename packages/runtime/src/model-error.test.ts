import { APICallError, StreamProviderError } from "ai";
import { expect, test } from "vitest";
import { modelFailure, retryAfterMs } from "./model-error.ts";
import { InterruptedAnswer } from "./model-step.ts";
import { Silence } from "./stall-watchdog.ts";
import { BadAnswer } from "./step-builder.ts";

const NOW = Date.parse("2026-11-29T12:00:00Z");

test.each([
  ["2", 2000],
  ["0", 0],
  ["0.5", 500],
  ["-3", 0],
  ["Sun, 29 Nov 2026 12:00:10 GMT", 10_000],
  ["Sun, 29 Nov 2026 11:00:00 GMT", 0],
  ["soon", undefined],
  ["", undefined],
  [undefined, undefined],
])("retry-after %j is %s ms", (value, ms) => {
  expect(retryAfterMs(value, NOW)).toBe(ms);
});

function api(statusCode: number | undefined, headers: Record<string, string> = {}): APICallError {
  return new APICallError({
    message: "It said no",
    url: "https://example.com",
    requestBodyValues: {},
    responseHeaders: headers,
    ...(statusCode === undefined ? {} : { statusCode }),
  });
}

const used = {
  type: "usage",
  turn: 1,
  step: 1,
  model: "openai/x",
  inputTokens: 1,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 1,
  reasoningTokens: 0,
} as const;

test.each([
  [api(401), "The key was refused", false],
  [api(404), `Check the model's name "x" and the address (OPENAI_API_BASE or AI_GATEWAY_URL, if one is set).`, false],
  [api(401), "Check that OPENAI_API_KEY is set", false],
  [api(402), "no credit left", false],
  [api(403), "Check the permissions of OPENAI_API_KEY", false],
  [api(413), "Start a new session", false],
  [api(400), "does not take the request as it is", false],
  [api(418), "It said no.", false],
  [api(429, { "retry-after": "7" }), "Wait and submit again, or check the plan", true],
  [api(429, { "retry-after": "61" }), "It asks to wait 61 seconds.", false],
  [api(429, { "retry-after": "7200" }), "It asks to wait 2 hours.", false],
  [api(520), "The provider has trouble", true],
  [api(500), "It said no.", true],
  [api(200), "The connection broke. Check the network and the address", true],
  [new Error("5007: No such model"), `Check the model's name "x"`, false],
  [new Error("3040: Capacity exceeded"), "overloaded", true],
  [api(529), "overloaded", true],
  [new Error("socket hang up"), "socket hang up. Check the network and the address", true],
  [new Error("internal error; reference = abc"), "Check the network and the address", true],
  [new Error("no such thing"), "failed: no such thing.", true],
  [new StreamProviderError({ message: "Not today" }), "The provider reported an error. Not today. Try again", true],
  [new BadAnswer("empty"), "The answer was empty. Check the model's name", true],
  [new Silence(300_000), "Nothing came for 5 minutes. Try again in a while.", true],
  [new InterruptedAnswer(used, { cause: new Silence(120_000) }), "cut off: nothing came for 2 minutes. Submit", false],
  [new InterruptedAnswer(used, { cause: new BadAnswer("empty") }), "thought, and then said nothing. Submit", false],
  [
    new InterruptedAnswer(used, { cause: api(500) }),
    "cut off: It said no. The provider has trouble. Try again in a while. Submit again",
    false,
  ],
])("%s says what to do, and whether it is tried again", (thrown, text, retryable) => {
  const failure = modelFailure("openai/x", thrown, NOW);
  expect(failure.error.message).toContain(text);
  expect(failure.error.message).toContain('Model "openai/x" failed');
  expect(failure.retryable).toBe(retryable);
});

test.each([
  [{ "retry-after": "7" }, 7000],
  [{ "retry-after": "7", "retry-after-ms": "250" }, 250],
  [{ "retry-after": "Sun, 29 Nov 2026 12:00:09 GMT" }, 9000],
  [{}, undefined],
])("the provider's wish how long to wait is kept: %j", (headers, ms) => {
  expect(modelFailure("m", api(429, headers), NOW).retryAfterMs).toBe(ms);
});

test("how often it was tried is said, for an answer that never began", () => {
  expect(modelFailure("m", api(500), NOW, 3).error.message).toMatch(/Tried 3 times\.$/);
  expect(modelFailure("m", api(500), NOW, 1).error.message).not.toContain("Tried");
  const cut = new InterruptedAnswer(used, { cause: api(500) });
  expect(modelFailure("m", cut, NOW, 3).error.message).not.toContain("Tried");
});

test.each([
  "This model's maximum context length is 128000 tokens",
  "prompt is too long: 210000 tokens > 200000 maximum",
])("a conversation that does not fit says so: %s", (message) => {
  const error = new APICallError({ message, url: "u", requestBodyValues: {}, statusCode: 400 });
  expect(modelFailure("m", error, NOW)).toMatchObject({
    retryable: false,
    error: { message: expect.stringContaining("Start a new session, or use a model with a larger context.") },
  });
});

test("a provider of the agent's own gets hints without variables", () => {
  expect(modelFailure("mine/x", api(404), NOW).error.message).toContain(`Check the model's name "x" and the address.`);
  expect(modelFailure("mine/x", api(401), NOW).error.message).toContain("Check that it is set");
});
