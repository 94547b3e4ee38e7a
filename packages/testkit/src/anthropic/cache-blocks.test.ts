import { describe, expect, test } from "vitest";
import { cacheBlocks } from "./cache-blocks.ts";

const mark = { cache_control: { type: "ephemeral" } };
const text = (said: string, more: object = {}): object => ({ type: "text", text: said, ...more });
const body = (content: unknown, more: object = {}): object => ({ messages: [{ role: "user", content }], ...more });
const marks = (value: object): boolean[] => cacheBlocks(value).map(({ marked }) => marked);

describe("cacheBlocks", () => {
  test("puts tools before the system prompt, and that before the messages", () => {
    const all = body("hi", { system: [text("s", mark)], tools: [{ name: "ls", input_schema: {} }] });
    expect(marks(all)).toEqual([false, true, false]);
    expect(cacheBlocks(all).map(({ key }) => key)).toEqual([
      '[null,{"name":"ls","input_schema":{}}]',
      '[null,{"type":"text","text":"s"}]',
      '["user",{"type":"text","text":"hi"}]',
    ]);
  });

  test("a mark is no part of what is compared", () => {
    const [plain, marked] = [text("a"), text("a", mark)].map((block) => cacheBlocks(body([block]))[0]?.key);
    expect(plain).toBe(marked);
  });

  test("a mark on the request stands for one on its last block", () => {
    expect(marks(body([text("a"), text("b")], mark))).toEqual([false, true]);
  });

  test("files and results have a size", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } };
    const result = { type: "tool_result", tool_use_id: "1", content: [text("12345678"), image] };
    const call = { type: "tool_use", id: "1", name: "ls", input: {} };
    expect(cacheBlocks(body([image, result, call])).map(({ tokens }) => tokens)).toEqual([1000, 1002, 1]);
  });

  test.each<[string, object, string]>([
    ["five marks", body(Array.from({ length: 5 }, () => text("a", mark))), "A maximum of 4 blocks with cache_control"],
    ["a mark on an empty text", body([text("", mark)]), "cache_control cannot be set for empty text blocks"],
  ])("refuses %s", (_name, value, message) => {
    expect(() => cacheBlocks(value)).toThrow(message);
  });
});
