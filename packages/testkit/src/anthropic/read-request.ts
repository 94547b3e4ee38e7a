import type { Conversation, SeenCall, SeenMessage } from "../script/conversation.ts";
import { prompt } from "../script/conversation.ts";
import { mediaIn, textsIn } from "../wire/read-content.ts";
import type { Fields } from "../wire/read-fields.ts";
import { invalid, list, object, optional, text } from "../wire/read-fields.ts";
import { signatureOf } from "./form.ts";

/** A request of `POST /v1/messages`, as far as a script needs it. */
export interface MessagesRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly conversation: Conversation;
}

/** Reads a request body. Throws a `Refusal` naming the field that is not as Anthropic documents it. */
export function readRequest(body: unknown): MessagesRequest {
  const fields = object("the body", body);
  if (typeof fields["max_tokens"] !== "number") throw invalid("max_tokens: Field required");
  const names = new Map<string, string>();
  const messages = list("messages", fields["messages"]).map((message, index) => object(`messages.${index}`, message));
  const inline = messages.filter(({ role }) => role === "system").map(({ content }) => content);
  const system = [fields["system"] ?? "", ...inline].map((content) => textsIn("system", content));
  return {
    model: text("model", fields["model"]),
    stream: fields["stream"] === true,
    conversation: {
      system: system.filter((said) => said !== "").join("\n"),
      tools: list("tools", fields["tools"] ?? [])
        .map(readTool)
        .join("\n"),
      messages: messages.flatMap((message, index) => readMessage(`messages.${index}`, message, names)),
    },
  };
}

/** `names` remembers which tool a call id belongs to, since a result does not say it. */
function readMessage(at: string, message: Fields, names: Map<string, string>): SeenMessage[] {
  const { role } = message;
  if (role === "system") return [];
  const content = blocksOf(`${at}.content`, message["content"]);
  if (role === "assistant") return [readAnswer(`${at}.content`, content, names)];
  if (role === "user") {
    return content.map((block, index) => {
      if (block["type"] === "tool_result") return readResult(`${at}.content.${index}`, block, names);
      return prompt(textsIn(at, [block]), mediaIn([block]));
    });
  }
  throw invalid(`${at}.role: Input should be 'user' or 'assistant'`);
}

/** A message's content, of which a string is the short form. */
export function blocksOf(at: string, content: unknown): readonly Fields[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return list(at, content).map((block, index) => object(`${at}.${index}`, block));
}

function readAnswer(at: string, content: readonly Fields[], names: Map<string, string>): SeenMessage {
  let said = "";
  let reasoning = "";
  const calls: SeenCall[] = [];
  for (const [index, block] of content.entries()) {
    if (block["type"] === "text") said += text(`${at}.${index}.text`, block["text"]);
    if (block["type"] === "thinking") {
      const thinking = text(`${at}.${index}.thinking`, block["thinking"]);
      if (block["signature"] !== signatureOf(thinking)) {
        throw invalid(`${at}.${index}: Invalid \`signature\` in \`thinking\` block`);
      }
      reasoning += thinking;
    }
    if (block["type"] === "tool_use") {
      const id = text(`${at}.${index}.id`, block["id"]);
      const tool = text(`${at}.${index}.name`, block["name"]);
      names.set(id, tool);
      calls.push({ id, tool, input: JSON.stringify(block["input"] ?? {}) });
    }
  }
  return { role: "assistant", text: said, reasoning, calls };
}

function readResult(at: string, block: Fields, names: Map<string, string>): SeenMessage {
  const id = text(`${at}.tool_use_id`, block["tool_use_id"]);
  const tool = names.get(id);
  if (tool === undefined) throw invalid(`${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`);
  const content = block["content"] ?? "";
  const media = mediaIn(content);
  const seen = { role: "tool" as const, id, tool, text: textsIn(`${at}.content`, content) };
  return { ...seen, isError: block["is_error"] === true, ...(media.length > 0 ? { media } : {}) };
}

function readTool(value: unknown): string {
  const tool = optional(value);
  return [tool["name"], tool["description"]].join("") + JSON.stringify(tool["input_schema"] ?? {});
}
