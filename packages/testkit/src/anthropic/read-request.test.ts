import { describe, expect, test } from "vitest";
import { signatureOf } from "./form.ts";
import { readRequest } from "./read-request.ts";

const call = { type: "tool_use", id: "1", name: "ls", input: { path: "." } };
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } };
const body = (messages: unknown, more: object = {}): object => ({ model: "m", max_tokens: 1, messages, ...more });

describe("readRequest", () => {
  test("reads what a script looks at", () => {
    const messages = [
      { role: "user", content: [{ type: "text", text: "look" }, image] },
      { role: "system", content: [{ type: "text", text: "Be kind." }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: signatureOf("hm") },
          { type: "text", text: "ok" },
          call,
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "1", is_error: true, content: [{ type: "text", text: "no" }, image] },
          { type: "text", text: "quickly" },
        ],
      },
    ];
    const tools = [{ name: "ls", description: "Lists.", input_schema: { type: "object" } }];
    expect(readRequest(body(messages, { system: "Be brief.", tools, stream: true }))).toEqual({
      model: "m",
      stream: true,
      conversation: {
        system: "Be brief.\nBe kind.",
        tools: 'lsLists.{"type":"object"}',
        messages: [
          { role: "user", text: "look" },
          { role: "user", text: "", media: ["data:image/png;base64,AA=="] },
          { role: "assistant", text: "ok", reasoning: "hm", calls: [{ id: "1", tool: "ls", input: '{"path":"."}' }] },
          { role: "tool", id: "1", tool: "ls", text: "no", isError: true, media: ["data:image/png;base64,AA=="] },
          { role: "user", text: "quickly" },
        ],
      },
    });
  });

  test.each<[string, unknown, string]>([
    ["no max_tokens", { model: "m", messages: [] }, "max_tokens: Field required"],
    ["an unknown role", body([{ role: "robot", content: "a" }]), "messages.0.role: Input should be"],
    [
      "a result without call",
      body([{ role: "user", content: [{ type: "tool_result", tool_use_id: "9" }] }]),
      "unexpected `tool_use_id`",
    ],
  ])("refuses %s", (_name, value, message) => {
    expect(() => readRequest(value)).toThrow(message);
  });
});
