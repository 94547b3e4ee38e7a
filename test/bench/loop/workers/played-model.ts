import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Script, ScriptPart, ScriptUsage } from "@tenrec/testkit";

/**
 * A model in the process that says what a script says, by the number of answers in the prompt. It looks at nothing else,
 * so that its own time does not grow with the conversation, as that of `scriptedModel` would.
 */
export function playedModel({ model, steps }: Script): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "played",
    modelId: model,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("this model only streams")),
    async doStream({ prompt }) {
      const answered = prompt.reduce((count, { role }) => count + (role === "assistant" ? 1 : 0), 0);
      const say = steps[answered]?.say;
      if (!say) throw new Error(`${model} has no answer ${answered + 1}`);
      const parts = [...partsOf(say)];
      return {
        stream: new ReadableStream<LanguageModelV4StreamPart>({
          pull(controller) {
            const part = parts.shift();
            if (part) controller.enqueue(part);
            else controller.close();
          },
        }),
      };
    },
  };
}

const USAGE: ScriptUsage = {
  inputTokens: 1000,
  cachedInputTokens: 900,
  cacheWriteTokens: 0,
  outputTokens: 50,
  reasoningTokens: 0,
};

function* partsOf(say: readonly ScriptPart[]): Generator<LanguageModelV4StreamPart> {
  yield { type: "stream-start", warnings: [] };
  let calls = 0;
  for (const part of say) {
    if ("text" in part) {
      yield { type: "text-start", id: "text" };
      for (const delta of piecesOf(part.text)) yield { type: "text-delta", id: "text", delta };
      yield { type: "text-end", id: "text" };
    } else if ("call" in part && "input" in part && part.id !== undefined) {
      const { id, call: toolName } = part;
      const input = JSON.stringify(part.input);
      calls += 1;
      yield { type: "tool-input-start", id, toolName };
      for (const delta of piecesOf(input)) yield { type: "tool-input-delta", id, delta };
      yield { type: "tool-input-end", id };
      yield { type: "tool-call", toolCallId: id, toolName, input };
    }
  }
  const { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens } = USAGE;
  yield {
    type: "finish",
    finishReason: { unified: calls > 0 ? "tool-calls" : "stop", raw: undefined },
    usage: {
      inputTokens: {
        total: inputTokens,
        noCache: inputTokens - cachedInputTokens,
        cacheRead: cachedInputTokens,
        cacheWrite: cacheWriteTokens,
      },
      outputTokens: { total: outputTokens, text: outputTokens, reasoning: reasoningTokens },
    },
  };
}

/** As many as the model server makes of it, about. */
function piecesOf(text: string): readonly string[] {
  return text.match(/[^]{1,24}/g) ?? [];
}
