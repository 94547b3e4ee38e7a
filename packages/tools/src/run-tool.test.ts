import { jsonSchema, tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createReadTool } from "./read/read.ts";
import { parseToolInput } from "./run-tool.ts";

const read = createReadTool({
  fs: { stat: () => Promise.reject(new Error()), readFileBytes: () => Promise.reject(new Error()) },
});
const zodTool = tool({ inputSchema: z.object({ n: z.number(), tags: z.array(z.string()).optional() }) });
const plain = tool({
  inputSchema: jsonSchema<{ n: number }>({ type: "object", properties: { n: { type: "number" } } }),
});
const standard = tool({
  inputSchema: {
    "~standard": {
      version: 1,
      vendor: "own",
      validate: (value: unknown) =>
        typeof value === "object" && value && "n" in value
          ? { value: { n: Number(value.n) } }
          : { issues: [{ message: "must be there", path: [{ key: "n" }] }] },
      jsonSchema: { input: () => ({ type: "object", properties: { n: {} } }), output: () => ({}) },
    },
  },
});

describe("parseToolInput", () => {
  it.each([
    ["a value", read, { path: "a" }, { path: "a" }],
    ["JSON text", read, '{"path":"a","limit":2}', { path: "a", limit: 2 }],
    ["no text as no arguments", plain, " ", {}],
    ["a user's zod schema", zodTool, '{"n":1}', { n: 1 }],
    ["a user's JSON schema, which does not validate", plain, { n: "x" }, { n: "x" }],
    ["a user's schema of another library", standard, { n: "2" }, { n: 2 }],
  ])("takes %s", async (_name, which, input, expected) => {
    expect(await parseToolInput(which, input, "mine")).toEqual(expected);
  });

  it.each([
    [read, "{", /^The arguments of mine are not valid: they are not JSON \(/],
    [
      read,
      {},
      /mine are not valid: path: expected string, received undefined\. Its fields: path, offset, limit, unit\. A call is \{"path":"…"\}\.$/,
    ],
    [read, null, /expected object, received null/],
    [read, { path: 1, limit: "2" }, /path: expected string, received number; limit: expected number, received string/],
    [
      zodTool,
      { n: 1, tags: ["a", 2] },
      /tags\.1: expected string, received number\. Its fields: n, tags\. A call is \{"n":1\}\.$/,
    ],
    [standard, {}, /n: must be there\. Its fields: n\.$/],
  ])("refuses with a reason %#", async (which, input, message) => {
    await expect(parseToolInput(which, input, "mine")).rejects.toMatchObject({
      code: "tool-input-invalid",
      message: expect.stringMatching(message),
    });
  });
});
