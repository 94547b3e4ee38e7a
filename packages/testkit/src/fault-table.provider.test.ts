import { APICallError, jsonSchema, streamText, tool } from "ai";
import { expect, test } from "vitest";
import { FAULTS } from "./script/fault-examples.ts";
import type { WireUnderTest } from "./with-wires.ts";
import { wires } from "./with-wires.ts";

type Fault = keyof typeof FAULTS;

const inWorkerd = navigator.userAgent === "Cloudflare-Workers";
const tools = { write: tool({ inputSchema: jsonSchema<object>({ type: "object" }), execute: async () => "done" }) };
/** Longer than the slow first byte takes. In milliseconds. */
const PATIENCE = 1500;

/** What a caller of `streamText` sees of a fault: errors, calls that came through all the same, and how it finished. */
async function outcome(wire: WireUnderTest, fault: Fault): Promise<string> {
  const name = wire.freshName();
  await wire.addScript({ model: name, steps: [{ say: FAULTS[fault] }] });
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), PATIENCE);
  const model = wire.model(name);
  const quiet = { maxRetries: 0, onError: () => {} };
  const result = streamText({ model, prompt: "hello", tools, abortSignal: stop.signal, ...quiet });
  const seen: string[] = [];
  try {
    for await (const part of result.stream) {
      if (part.type === "error") seen.push(inWords(part.error));
      if (part.type === "abort") seen.push("silence");
      if (part.type === "tool-call") seen.push(part.invalid ? "an invalid call" : "a call");
      if (part.type === "finish-step") seen.push(part.finishReason);
    }
  } catch (error) {
    seen.push(`thrown ${inWords(error)}`);
  }
  clearTimeout(timer);
  return seen.join("; ");
}

function inWords(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error);
  const { statusCode, isRetryable } = error as { statusCode?: number; isRetryable?: boolean };
  const wait = APICallError.isInstance(error) ? error.responseHeaders?.["retry-after"] : undefined;
  const facts = [
    error.name.replace("AI_", ""),
    ...(statusCode === undefined ? [] : [statusCode]),
    ...(isRetryable === undefined ? [] : [isRetryable ? "retryable" : "final"]),
    ...(wait === undefined ? [] : [`after ${Number.isNaN(Number(wait)) ? "a date" : wait}`]),
  ];
  return `${facts.join(" ")}: ${error.message.split("\n")[0]}`;
}

const unfinished = "InvalidResponseDataError: Response stream ended without a finish reason.; error";
const noOutput = "NoOutputGeneratedError: No output generated. The model stream ended without a finish chunk.";
const noJson = "JSONParseError: JSON parsing failed: Text: {no json.";
// A connection that breaks has another error in each runtime; in workerd none of them says that it may be tried again.
const refused = inWorkerd
  ? "Error: Network connection lost."
  : "APICallError retryable: Cannot connect to API: other side closed";
const broken = `thrown APICallError 200 ${inWorkerd ? "final" : "retryable"}: Failed to process successful response`;
const lost = "thrown Error: Network connection lost.";

/** What becomes of each fault: one outcome for all packages that speak HTTP, or one for each of them, and the binding's. */
const TABLE: { readonly [fault in Fault]: readonly [string | readonly [string, string, string], string] } = {
  "401": ["APICallError 401 final: The key is wrong.", "APICallError final: 10000: The key is wrong."],
  "404": ["APICallError 404 final: There is no such model.", "APICallError 400 final: 5007: There is no such model."],
  "429 with seconds": [
    "APICallError 429 retryable after 3: Too many requests.",
    "APICallError 429 retryable: 3036: Too many requests.",
  ],
  "429 with a date": [
    "APICallError 429 retryable after a date: Too many requests.",
    "APICallError 429 retryable: 3036: Too many requests.",
  ],
  "500": ["APICallError 500 retryable: Something broke.", "APICallError final: 3043: Something broke."],
  "529": ["APICallError 529 retryable: Overloaded.", "APICallError 429 retryable: 3040: Overloaded."],
  "HTML with 502": [
    "APICallError 502 retryable: Bad Gateway",
    "APICallError final: <html><body>Bad gateway</body></html>",
  ],
  "HTML with 200": [[unfinished, "interrupted", noOutput], "stop"],
  garbage: [[unfinished, "interrupted", noOutput], "stop"],
  "garbage in mid stream": [[`${noJson}; stop`, `${noJson}; error`, `${noJson}; stop`], "stop"],
  "empty stream": [[unfinished, "interrupted", noOutput], "stop"],
  "slow first byte": ["stop", "stop"],
  "stall before any byte": ["silence", "silence"],
  "stall in mid text": ["silence", "silence"],
  "cut before any byte": [refused, "APICallError final: Network connection lost."],
  "cut in mid text": [broken, lost],
  "cut in mid call": [broken, lost],
  "end in mid text": [[unfinished, "interrupted", "interrupted"], "error"],
  "end in mid call": [[`an invalid call; ${unfinished}`, "interrupted", "interrupted"], "an invalid call; error"],
  "error before any text": [
    [
      "StreamProviderError final: Overloaded.; error",
      "APICallError 500 retryable: Overloaded.",
      "APICallError 529 retryable: Overloaded.",
    ],
    "error",
  ],
  "error in mid text": [
    [
      "StreamProviderError final: Overloaded.; error",
      "StreamProviderError 500 retryable: Overloaded.; error",
      "StreamProviderError 529 retryable: Overloaded.; error",
    ],
    "error",
  ],
};

function expected(fault: Fault, wire: WireUnderTest): string {
  const [overHttp, binding] = TABLE[fault];
  if (wire.name === "workers-ai") return binding;
  if (typeof overHttp === "string") return overHttp;
  return overHttp[["chat", "responses", "anthropic"].indexOf(wire.name)] ?? "";
}

// All at once, because those that are silent take their time.
test.concurrent.each(wires)("what becomes of each fault over $name", { timeout: 30_000 }, async (wire) => {
  const faults = Object.keys(FAULTS) as Fault[];
  const outcomes = await Promise.all(faults.map((fault) => outcome(wire, fault)));
  const seen = Object.fromEntries(faults.map((fault, index) => [fault, outcomes[index]]));
  expect(seen).toEqual(Object.fromEntries(faults.map((fault) => [fault, expected(fault, wire)])));
});
