import { createOpenAI } from "@ai-sdk/openai";
import type { ModelMessage } from "ai";
import { generateText } from "ai";
import { describe, expect, test } from "vitest";
import { server } from "../with-wires.ts";

const provider = createOpenAI({ baseURL: server.baseURL, apiKey: "secret" });

/** A first answer with reasoning, and the request that follows it. */
async function twoCalls(
  store: boolean,
): Promise<{ text: string; second: string; answer: ModelMessage[]; model: string }> {
  const model = `gpt-5-${crypto.randomUUID()}`;
  await server.addScript({
    model,
    steps: [{ say: [{ reasoning: "hm" }, { text: "ok" }] }, { say: [{ text: "yes" }] }],
  });
  const providerOptions = { openai: { store } };
  const first = await generateText({ model: provider(model), prompt: "hello", providerOptions });
  const answer = first.responseMessages;
  const messages: ModelMessage[] = [{ role: "user", content: "hello" }, ...answer, { role: "user", content: "sure?" }];
  const { text } = await generateText({ model: provider(model), messages, providerOptions });
  return { text, second: JSON.stringify((await server.requests(model))[1]?.body), answer, model };
}

describe("what was said before", () => {
  test("is referred to when it was stored", async () => {
    const { text, second } = await twoCalls(true);
    expect(text).toBe("yes");
    expect(second).toContain('"type":"item_reference","id":"rs_');
    expect(second).toContain('"type":"item_reference","id":"msg_');
  });

  test("comes back in full when it was not, reasoning with its encrypted content", async () => {
    const { text, second } = await twoCalls(false);
    expect(text).toBe("yes");
    expect(second).not.toContain("item_reference");
    expect(second).toMatch(/"encrypted_content":"enc_\w+"/);
  });

  test("cannot be referred to when it was not stored", async () => {
    const { answer, model } = await twoCalls(false);
    const messages: ModelMessage[] = [
      { role: "user", content: "hello" },
      ...answer,
      { role: "user", content: "sure?" },
    ];
    // A server that never saw it, as after an expiry.
    const strangers = JSON.parse(JSON.stringify(messages).replaceAll("rs_", "rs_0").replaceAll("msg_", "msg_0"));
    await expect(generateText({ model: provider(model), messages: strangers })).rejects.toMatchObject({
      statusCode: 404,
      message: expect.stringContaining("not found. Items are not persisted"),
    });
  });
});
