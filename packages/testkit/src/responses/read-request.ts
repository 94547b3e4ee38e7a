import type { Conversation, SeenMessage } from "../script/conversation.ts";
import { prompt } from "../script/conversation.ts";
import { mediaIn, textsIn } from "../wire/read-content.ts";
import type { Fields } from "../wire/read-fields.ts";
import { invalid, list, object, optional, text } from "../wire/read-fields.ts";
import type { Content } from "../wire/wire.ts";
import type { ItemStore } from "./item-store.ts";

/** A request of `POST /v1/responses`, as far as a script needs it. */
export interface ResponsesRequest {
  readonly model: string;
  readonly stream: boolean;
  /** Whether later requests may refer to what is said. */
  readonly store: boolean;
  /** Whether reasoning is sent with its encrypted content. */
  readonly encrypted: boolean;
  readonly conversation: Conversation;
}

/** Reads a request body. Throws a `Refusal` naming the field that is not as OpenAI documents it. */
export function readRequest(body: unknown, items: ItemStore): ResponsesRequest {
  const fields = object("the body", body);
  const input = typeof fields["input"] === "string" ? [{ role: "user", content: fields["input"] }] : fields["input"];
  const reader = new InputReader(items);
  for (const [index, item] of list("input", input).entries()) {
    reader.add(`input[${index}]`, object(`input[${index}]`, item));
  }
  const instructions = fields["instructions"];
  return {
    model: text("model", fields["model"]),
    stream: fields["stream"] === true,
    store: fields["store"] !== false,
    encrypted: list("include", fields["include"] ?? []).includes("reasoning.encrypted_content"),
    conversation: {
      system: [...(typeof instructions === "string" ? [instructions] : []), ...reader.system].join("\n"),
      tools: list("tools", fields["tools"] ?? [])
        .map(readTool)
        .join("\n"),
      messages: reader.messages,
    },
  };
}

/** Puts items in a row that one answer said into one message. */
class InputReader {
  readonly system: string[] = [];
  readonly messages: SeenMessage[] = [];
  readonly #items: ItemStore;
  /** Which tool a call id belongs to, since an output does not say it. */
  readonly #names = new Map<string, string>();

  constructor(items: ItemStore) {
    this.#items = items;
  }

  add(at: string, item: Fields): void {
    const type = item["type"] ?? "message";
    if (type === "message") this.#addMessage(at, item);
    else if (type === "function_call_output") this.#addOutput(at, item);
    else if (type === "item_reference") this.#addSaid(this.#items.find(text(`${at}.id`, item["id"])));
    else if (type === "reasoning") {
      const summary = list(`${at}.summary`, item["summary"]).map((part) =>
        text(`${at}.summary`, optional(part)["text"]),
      );
      this.#addSaid({ type: "reasoning", text: summary.join("") });
    } else if (type === "function_call") {
      const id = text(`${at}.call_id`, item["call_id"]);
      const tool = text(`${at}.name`, item["name"]);
      this.#addSaid({ type: "call", id, tool, input: text(`${at}.arguments`, item["arguments"]) });
    } else throw invalid(`${at}.type is not known: ${JSON.stringify(type)}`);
  }

  #addMessage(at: string, item: Fields): void {
    const content = item["content"];
    const said = textsIn(`${at}.content`, content);
    const { role } = item;
    if (role === "system" || role === "developer") this.system.push(said);
    else if (role === "user") this.messages.push(prompt(said, mediaIn(content)));
    else if (role === "assistant") this.#addSaid({ type: "text", text: said });
    else throw invalid(`${at}.role is not known: ${JSON.stringify(role)}`);
  }

  #addOutput(at: string, item: Fields): void {
    const id = text(`${at}.call_id`, item["call_id"]);
    const tool = this.#names.get(id);
    if (tool === undefined) throw invalid(`No tool call found for function call output with call_id ${id}.`);
    const media = mediaIn(item["output"]);
    const said = textsIn(`${at}.output`, item["output"]);
    this.messages.push({ role: "tool", id, tool, text: said, ...(media.length > 0 ? { media } : {}) });
  }

  #addSaid(said: Content): void {
    const last = this.messages.at(-1);
    const before =
      last?.role === "assistant" ? last : { role: "assistant" as const, text: "", reasoning: "", calls: [] };
    if (last?.role === "assistant") this.messages.pop();
    if (said.type === "call") this.#names.set(said.id, said.tool);
    this.messages.push({
      ...before,
      text: before.text + (said.type === "text" ? said.text : ""),
      reasoning: before.reasoning + (said.type === "reasoning" ? said.text : ""),
      calls: said.type === "call" ? [...before.calls, said] : before.calls,
    });
  }
}

function readTool(value: unknown): string {
  const tool = optional(value);
  return [tool["name"], tool["description"]].join("") + JSON.stringify(tool["parameters"] ?? {});
}
