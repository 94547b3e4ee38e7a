import { describe, expect, test } from "vitest";
import { itemStore } from "./item-store.ts";
import { readRequest } from "./read-request.ts";

const read = (input: unknown, more: object = {}): ReturnType<typeof readRequest> =>
  readRequest({ model: "m", input, ...more }, itemStore());

describe("readRequest", () => {
  test("reads what a script looks at, and puts what one answer said together", () => {
    const items = itemStore();
    items.keep("rs_1", { type: "reasoning", text: "hm" });
    const url = "data:image/png;base64,AA==";
    const input = [
      { role: "developer", content: "Be kind." },
      {
        role: "user",
        content: [
          { type: "input_text", text: "look" },
          { type: "input_image", image_url: url },
        ],
      },
      { type: "item_reference", id: "rs_1" },
      { role: "assistant", content: "ok" },
      { type: "function_call", call_id: "1", name: "ls", arguments: "{}" },
      { type: "function_call", call_id: "2", name: "cat", arguments: "{}" },
      { type: "function_call_output", call_id: "1", output: "a.ts" },
      { type: "function_call_output", call_id: "2", output: [{ type: "input_image", image_url: url }] },
      { type: "reasoning", id: "rs_2", summary: [{ type: "summary_text", text: "so" }] },
    ];
    const tools = [{ type: "function", name: "ls", description: "Lists.", parameters: { type: "object" } }];
    const request = readRequest({ model: "m", stream: true, instructions: "Be brief.", input, tools }, items);
    expect(request).toMatchObject({ model: "m", stream: true, store: true, encrypted: false });
    expect(request.conversation).toMatchObject({
      system: "Be brief.\nBe kind.",
      tools: 'lsLists.{"type":"object"}',
      messages: [
        { role: "user", text: "look", media: [url] },
        {
          role: "assistant",
          text: "ok",
          reasoning: "hm",
          calls: [
            { id: "1", tool: "ls", input: "{}" },
            { id: "2", tool: "cat", input: "{}" },
          ],
        },
        { role: "tool", id: "1", tool: "ls", text: "a.ts" },
        { role: "tool", id: "2", tool: "cat", text: "", media: [url] },
        { role: "assistant", text: "", reasoning: "so", calls: [] },
      ],
    });
  });

  test("takes a string for a prompt", () => {
    expect(read("hi").conversation.messages).toEqual([{ role: "user", text: "hi" }]);
  });

  test.each<[string, unknown, string]>([
    ["an unknown role", [{ role: "robot", content: "a" }], 'input[0].role is not known: "robot"'],
    ["an unknown item", [{ type: "robot" }], 'input[0].type is not known: "robot"'],
    ["an output without call", [{ type: "function_call_output", call_id: "9", output: "" }], "No tool call found"],
    ["an unknown reference", [{ type: "item_reference", id: "rs_9" }], "Item with id 'rs_9' not found."],
  ])("refuses %s", (_name, input, message) => {
    expect(() => read(input)).toThrow(message);
  });
});
