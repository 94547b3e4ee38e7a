import type { Conversation, SeenCall, SeenMessage } from "../script/conversation.ts";
import { prompt } from "../script/conversation.ts";
import type { PromptBlock } from "../script/estimate-usage.ts";
import { promptBlocks } from "../script/estimate-usage.ts";
import { mediaIn, textsIn } from "../wire/read-content.ts";
import type { Fields } from "../wire/read-fields.ts";
import { invalid, list, object, optional, text } from "../wire/read-fields.ts";

/** A request of `POST /v1/chat/completions`, as far as a script needs it. */
export interface ChatRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly conversation: Conversation;
  readonly blocks: readonly PromptBlock[];
}

/** Reads a request body. Throws a `Refusal` naming the field that is not as OpenAI documents it. */
export function readRequest(body: unknown): ChatRequest {
  const fields = object("the body", body);
  const names = new Map<string, string>();
  const messages = list("messages", fields["messages"]).map((message, index) => object(`messages[${index}]`, message));
  const seen = messages.flatMap((message, index) => readMessage(`messages[${index}]`, message, names));
  const system = messages.filter(({ role }) => role === "system" || role === "developer");
  const conversation: Conversation = {
    system: system.map(({ content }) => textsIn("content", content)).join("\n"),
    tools: list("tools", fields["tools"] ?? [])
      .map(readTool)
      .join("\n"),
    messages: seen,
  };
  return {
    model: text("model", fields["model"]),
    stream: fields["stream"] === true,
    includeUsage: optional(fields["stream_options"])["include_usage"] === true,
    conversation,
    blocks: promptBlocks(conversation),
  };
}

/** `names` remembers which tool a call id belongs to, since a tool message does not say it. */
function readMessage(at: string, message: Fields, names: Map<string, string>): SeenMessage[] {
  switch (message["role"]) {
    case "system":
    case "developer":
      return [];
    case "user":
      return [prompt(textsIn(`${at}.content`, message["content"]), mediaIn(message["content"]))];
    case "assistant": {
      const calls = list(`${at}.tool_calls`, message["tool_calls"] ?? []).map((call, index) =>
        readCall(`${at}.tool_calls[${index}]`, call),
      );
      for (const call of calls) names.set(call.id, call.tool);
      const reasoning = message["reasoning_content"] ?? message["reasoning"];
      const said = textsIn(`${at}.content`, message["content"] ?? "");
      return [{ role: "assistant", text: said, reasoning: typeof reasoning === "string" ? reasoning : "", calls }];
    }
    case "tool": {
      const id = text(`${at}.tool_call_id`, message["tool_call_id"]);
      const tool = names.get(id);
      if (tool === undefined) throw invalid(`${at}.tool_call_id ${JSON.stringify(id)} answers no call before it`);
      return [{ role: "tool", id, tool, ...readResult(at, message["content"]) }];
    }
    default:
      throw invalid(`${at}.role is not known: ${JSON.stringify(message["role"])}`);
  }
}

function readCall(at: string, value: unknown): SeenCall {
  const call = object(at, value);
  const called = object(`${at}.function`, call["function"]);
  return {
    id: text(`${at}.id`, call["id"]),
    tool: text(`${at}.function.name`, called["name"]),
    input: text(`${at}.function.arguments`, called["arguments"]),
  };
}

function readTool(value: unknown): string {
  const tool = optional(optional(value)["function"]);
  return [tool["name"], tool["description"]].join("") + JSON.stringify(tool["parameters"] ?? {});
}

// The AI SDK sends a result of several parts as their JSON. A script sees what is in it, as it does in the process.
function readResult(at: string, content: unknown): { text: string; media?: readonly string[] } {
  const said = textsIn(`${at}.content`, content);
  if (!said.startsWith('[{"type":')) return { text: said };
  try {
    const parts: unknown = JSON.parse(said);
    const media = mediaIn(parts);
    return { text: textsIn("content", parts), ...(media.length > 0 ? { media } : {}) };
  } catch {
    return { text: said };
  }
}
