import { describe, expect, test } from "vitest";
import { readRequest } from "./read-request.ts";

const user = { role: "user", content: "hi" };
const call = { id: "1", type: "function", function: { name: "ls", arguments: "{}" } };

describe("readRequest", () => {
  test("reads what a script looks at", () => {
    const body = {
      model: "m",
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: "system", content: "Be brief." },
        { role: "developer", content: [{ type: "text", text: "Be kind." }] },
        {
          role: "user",
          content: [
            { type: "text", text: "look" },
            { type: "image_url", image_url: { url: "data:," } },
          ],
        },
        { role: "assistant", content: null, reasoning_content: "hm", tool_calls: [call] },
        { role: "tool", tool_call_id: "1", content: "a.ts" },
      ],
      tools: [{ type: "function", function: { name: "ls", description: "Lists.", parameters: { type: "object" } } }],
    };
    expect(readRequest(body)).toMatchObject({
      model: "m",
      stream: true,
      includeUsage: true,
      conversation: {
        system: "Be brief.\nBe kind.",
        tools: 'lsLists.{"type":"object"}',
        messages: [
          { role: "user", text: "look", media: ["data:,"] },
          { role: "assistant", text: "", reasoning: "hm", calls: [{ id: "1", tool: "ls", input: "{}" }] },
          { role: "tool", id: "1", tool: "ls", text: "a.ts" },
        ],
      },
    });
  });

  test.each<[string, string]>([
    ['[{"type":"text","text":"a"},{"type":"file","data":"…"}]', "a"],
    ['[{"type":"text","text":', '[{"type":"text","text":'],
  ])("a result %s is the text %s", (content, text) => {
    const messages = [
      { role: "assistant", tool_calls: [call] },
      { role: "tool", tool_call_id: "1", content },
    ];
    expect(readRequest({ model: "m", messages }).conversation.messages.at(-1)).toMatchObject({ text });
  });

  test.each<[string, unknown, string]>([
    ["no object", [], "the body is not an object"],
    ["no model", { messages: [user] }, "model is not a string"],
    ["no messages", { model: "m" }, "messages is not a list"],
    ["an unknown role", { model: "m", messages: [{ role: "robot" }] }, 'messages[0].role is not known: "robot"'],
    ["no content", { model: "m", messages: [{ role: "user" }] }, "messages[0].content is not a string"],
    [
      "a result without call",
      { model: "m", messages: [{ role: "tool", tool_call_id: "9", content: "" }] },
      "answers no call",
    ],
    [
      "a call without function",
      { model: "m", messages: [{ role: "assistant", tool_calls: [{ id: "1" }] }] },
      "tool_calls[0].function",
    ],
  ])("refuses %s", (_name, body, message) => {
    expect(() => readRequest(body)).toThrow(message);
  });
});
