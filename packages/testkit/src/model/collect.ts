import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";

/** The whole answer of a stream. Throws what the stream reports as an error. */
export async function collect(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): Promise<LanguageModelV4GenerateResult> {
  const content: LanguageModelV4Content[] = [];
  const texts = new Map<string, { type: "text" | "reasoning"; text: string }>();
  let response: LanguageModelV4GenerateResult["response"];
  for await (const part of stream) {
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const block = { type: part.type === "text-start" ? ("text" as const) : ("reasoning" as const), text: "" };
        texts.set(part.id, block);
        content.push(block);
        break;
      }
      case "text-delta":
      case "reasoning-delta": {
        const block = texts.get(part.id);
        if (block) block.text += part.delta;
        break;
      }
      case "tool-call":
        content.push(part);
        break;
      case "response-metadata":
        response = { ...(part.id ? { id: part.id } : {}), ...(part.modelId ? { modelId: part.modelId } : {}) };
        break;
      case "error":
        throw part.error;
      case "finish":
        return {
          content,
          finishReason: part.finishReason,
          usage: part.usage,
          warnings: [],
          ...(response ? { response } : {}),
        };
      default:
    }
  }
  throw new TypeError("terminated");
}
