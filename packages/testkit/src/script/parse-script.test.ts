import { describe, expect, test } from "vitest";
import { parseScript } from "./parse-script.ts";

const withStep = (step: unknown): unknown => ({ model: "m", steps: [step] });
const withPart = (part: unknown): unknown => withStep({ say: [part] });

describe("parseScript", () => {
  test("accepts every field, after a round trip through JSON", () => {
    const script = {
      model: "m",
      pace: 5,
      steps: [
        { when: { prompt: { includes: "" } }, say: [], usage: { inputTokens: 1 }, finishReason: "stop" },
        {
          when: { result: { tool: "bash", includes: "x", isError: true, media: "image/" } },
          say: [{ text: "" }],
          usage: null,
        },
        { when: { prompt: { media: "image/" } }, say: [{ stall: true, times: 1 }, { cut: "clean" }] },
        {
          say: [
            { reasoning: "r" },
            { call: "ls", input: {}, id: "1" },
            { call: "ls", rawInput: "{", id: "2" },
            { delay: 0 },
          ],
        },
        {
          say: [
            {
              error: {
                message: "m",
                status: 429,
                code: "c",
                retryAfter: 1,
                retryAfterDate: true,
                inStream: true,
                times: 1,
              },
            },
            { cut: true, times: 2 },
            { raw: "", status: 502, contentType: "text/html", times: 1 },
          ],
        },
      ],
    };
    expect(parseScript(JSON.parse(JSON.stringify(script)))).toEqual(script);
  });

  test.each<[string, unknown, string]>([
    ["no object", [], "it is not an object"],
    ["no model", { steps: [{ say: [] }] }, "model is missing"],
    ["no steps", { model: "m", steps: [] }, "steps is empty"],
    ["a misspelt field", withStep({ say: [], finish: "stop" }), "steps[0].finish is not known"],
    ["no say", withStep({}), "steps[0].say is missing"],
    ["an unknown part", withPart({ txt: "a" }), "steps[0].say[0] is none of text"],
    ["a call without input", withPart({ call: "ls" }), "steps[0].say[0] is none of text"],
    ["two kinds in one part", withPart({ text: "a", reasoning: "b" }), "steps[0].say[0].reasoning is not known"],
    [
      "a status that is no error",
      withPart({ error: { message: "m", status: 200 } }),
      "say[0].error.status is not valid: 200",
    ],
    ["an error without message", withPart({ error: {} }), "say[0].error.message is missing"],
    ["a cut in two ways", withPart({ cut: "dirty" }), 'say[0].cut is not valid: "dirty"'],
    ["a status that nothing has", withPart({ raw: "", status: 204 }), "say[0].status is not valid: 204"],
    ["a negative delay", withPart({ delay: -1 }), "say[0].delay is not valid: -1"],
    [
      "both conditions",
      withStep({ say: [], when: { prompt: { includes: "a" }, result: {} } }),
      "needs either prompt or result",
    ],
    ["usage in words", withStep({ say: [], usage: { inputTokens: "many" } }), 'usage.inputTokens is not valid: "many"'],
  ])("refuses %s", (_name, value, message) => {
    expect(() => parseScript(value)).toThrow(message);
  });

  test("names every defect at once", () => {
    expect(() => parseScript({ steps: [{ say: [{}] }] })).toThrow(/model is missing; .*say\[0\] is none of/);
  });
});
