import type { ModelMessage } from "ai";
import { expect, test } from "vitest";
import { withCacheMarkers } from "./cache-markers.ts";

const user: ModelMessage = { role: "user", content: "u" };
const said: ModelMessage = { role: "assistant", content: "a" };
const results: ModelMessage = { role: "tool", content: [] };

test.each<[string, ModelMessage[], number[]]>([
  ["the first call", [user], [0]],
  ["after a step", [user, said, results], [0, 2]],
  ["after two", [user, said, results, said, results], [2, 4]],
  ["in a second turn", [user, said, results, said, user], [2, 4]],
  ["with images after the results", [user, said, results, user, said, results, user], [3, 6]],
  ["two prompts at once", [user, user], [1]],
  ["nothing yet", [], []],
])("marks the end, and where the request before ended: %s", (_name, messages, marked) => {
  const sent = withCacheMarkers("system", messages);
  const found = sent.messages.flatMap((m, i) => (m.providerOptions?.["anthropic"]?.["cacheControl"] ? [i] : []));
  expect(found).toEqual(marked);
  expect(sent.instructions.providerOptions).toMatchObject({ anthropic: { cacheControl: { type: "ephemeral" } } });
});

test("keeps the options that a message has", () => {
  const providerOptions = { openai: { itemId: "i" }, anthropic: { other: true } };
  const { messages } = withCacheMarkers("system", [{ ...user, providerOptions }]);
  expect(messages[0]?.providerOptions).toEqual({
    openai: { itemId: "i" },
    anthropic: { other: true, cacheControl: { type: "ephemeral" } },
  });
});
