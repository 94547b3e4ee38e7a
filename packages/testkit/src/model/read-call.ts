import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import type { Conversation, SeenMessage } from "../script/conversation.ts";
import { prompt } from "../script/conversation.ts";

/** What a script can see of a call through the AI SDK. */
export function readCall(options: Pick<LanguageModelV4CallOptions, "prompt" | "tools">): Conversation {
  const tools = (options.tools ?? []).map((tool) =>
    tool.type === "function" ? tool.name + (tool.description ?? "") + JSON.stringify(tool.inputSchema) : tool.name,
  );
  return {
    system: options.prompt.flatMap((message) => (message.role === "system" ? [message.content] : [])).join("\n"),
    tools: tools.join("\n"),
    messages: options.prompt.flatMap(readMessage),
  };
}

function readMessage(message: LanguageModelV4Message): SeenMessage[] {
  switch (message.role) {
    case "system":
      return [];
    case "user":
      return [readPrompt(message.content)];
    case "assistant":
      return [readAnswer(message.content)];
    case "tool":
      return message.content.flatMap((part): SeenMessage[] => {
        if (part.type !== "tool-result") return [];
        const result = readResult(part.output);
        return [{ role: "tool", id: part.toolCallId, tool: part.toolName, ...result }];
      });
  }
}

function readAnswer(content: Extract<LanguageModelV4Message, { role: "assistant" }>["content"]): SeenMessage {
  return {
    role: "assistant",
    text: content.map((part) => (part.type === "text" ? part.text : "")).join(""),
    reasoning: content.map((part) => (part.type === "reasoning" ? part.text : "")).join(""),
    calls: content.flatMap((part) => {
      if (part.type !== "tool-call") return [];
      const input = typeof part.input === "string" ? part.input : JSON.stringify(part.input);
      return [{ id: part.toolCallId, tool: part.toolName, input }];
    }),
  };
}

type UserPart = Extract<LanguageModelV4Message, { role: "user" }>["content"][number];
type FilePart = Pick<Extract<UserPart, { type: "file" }>, "data" | "mediaType">;

function readPrompt(content: readonly UserPart[]): SeenMessage {
  const texts = content.flatMap((part) => {
    if (part.type === "text") return [part.text];
    return part.data.type === "text" ? [part.data.text] : [];
  });
  return prompt(texts.join("\n"), mediaIn(content));
}

function mediaIn(parts: readonly (FilePart | { readonly type: string })[]): readonly string[] {
  return parts.flatMap((part) => ("data" in part ? urlOf(part) : []));
}

function urlOf({ data, mediaType }: FilePart): string[] {
  if (data.type === "url") return [data.url.href];
  if (data.type !== "data") return [];
  if (typeof data.data !== "string") return [`data:${mediaType};base64,${base64(data.data)}`];
  return [data.data.startsWith("data:") ? data.data : `data:${mediaType};base64,${data.data}`];
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

interface Read {
  readonly text: string;
  readonly isError: boolean;
  readonly media?: readonly string[];
}

function readResult(output: LanguageModelV4ToolResultOutput): Read {
  switch (output.type) {
    case "text":
      return { text: output.value, isError: false };
    case "error-text":
      return { text: output.value, isError: true };
    case "json":
      return { text: JSON.stringify(output.value), isError: false };
    case "error-json":
      return { text: JSON.stringify(output.value), isError: true };
    case "execution-denied":
      return { text: output.reason ?? "Tool call execution denied.", isError: true };
    case "content": {
      const media = mediaIn(output.value);
      const texts = output.value.flatMap((part) => (part.type === "text" ? [part.text] : []));
      return { text: texts.join("\n"), isError: false, ...(media.length > 0 ? { media } : {}) };
    }
  }
}
