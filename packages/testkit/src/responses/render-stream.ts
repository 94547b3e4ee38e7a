import type { Json } from "@tenrec/protocol";
import { openAIError } from "../chat/form.ts";
import type { Content, Head, Rendering, Spoken } from "../wire/wire.ts";
import { frame } from "../wire/wire.ts";
import { ending, itemForm, itemId, responseForm } from "./form.ts";
import type { ItemStore } from "./item-store.ts";

export interface ResponsesOptions {
  readonly encrypted: boolean;
  /** Absent when nothing is to be kept. */
  readonly items: ItemStore | undefined;
}

/** An answer as server-sent events of Responses. */
export function responsesRendering(head: Head, options: ResponsesOptions): Rendering {
  return new ResponsesRendering(head, options);
}

class ResponsesRendering implements Rendering {
  readonly #head: Head;
  readonly #options: ResponsesOptions;
  readonly #output: Json[] = [];
  #sequence = 0;
  /** The item that is being said, and what of it was said. */
  #item: { readonly id: string; said: Content } | undefined;

  constructor(head: Head, options: ResponsesOptions) {
    this.#head = head;
    this.#options = options;
  }

  open(): string {
    const response = responseForm(this.#head, "in_progress", []);
    return this.#event("response.created", { response }) + this.#event("response.in_progress", { response });
  }

  next(play: Spoken): string {
    switch (play.type) {
      case "start":
        return this.#start({ type: play.part, text: "" });
      case "call-start":
        return this.#start({ type: "call", id: play.id, tool: play.tool, input: "" });
      case "delta":
      case "call-delta":
        return this.#delta(play.text);
      case "end":
      case "call-end":
        return this.#end();
      case "error": {
        const { error } = openAIError({ ...play.error, status: play.error.status ?? 500 }) as { error: Json };
        const response = responseForm(this.#head, "failed", this.#output, { error });
        return this.#event("error", { error }) + this.#event("response.failed", { response });
      }
      case "finish": {
        const { status, more } = ending(play.reason);
        const response = responseForm(this.#head, status, this.#output, more);
        return this.#event(`response.${status}`, { response });
      }
    }
  }

  #start(said: Content): string {
    const id = itemId(this.#head, said.type, this.#output.length);
    this.#item = { id, said };
    const item = itemForm(id, said, "in_progress", this.#options.encrypted);
    const added = this.#event("response.output_item.added", { output_index: this.#output.length, item });
    if (said.type === "text") return added + this.#event("response.content_part.added", this.#textPart(""));
    if (said.type === "reasoning") {
      return added + this.#event("response.reasoning_summary_part.added", this.#summaryPart(""));
    }
    return added;
  }

  #delta(delta: string): string {
    const item = this.#item;
    if (!item) return "";
    const { said } = item;
    item.said = said.type === "call" ? { ...said, input: said.input + delta } : { ...said, text: said.text + delta };
    if (said.type === "text") return this.#event("response.output_text.delta", this.#at({ content_index: 0, delta }));
    if (said.type === "reasoning") {
      return this.#event("response.reasoning_summary_text.delta", this.#at({ summary_index: 0, delta }));
    }
    return this.#event("response.function_call_arguments.delta", this.#at({ delta }));
  }

  #end(): string {
    const item = this.#item;
    if (!item) return "";
    const { id, said } = item;
    const done = this.#done(said);
    const form = itemForm(id, said, "completed", this.#options.encrypted);
    const last = this.#event("response.output_item.done", { output_index: this.#output.length, item: form });
    this.#output.push(form);
    this.#options.items?.keep(id, said);
    return done + last;
  }

  #done(said: Content): string {
    if (said.type === "call") {
      return this.#event("response.function_call_arguments.done", this.#at({ arguments: said.input }));
    }
    const { text } = said;
    if (said.type === "text") {
      const done = this.#event("response.output_text.done", this.#at({ content_index: 0, text }));
      return done + this.#event("response.content_part.done", this.#textPart(text));
    }
    const done = this.#event("response.reasoning_summary_text.done", this.#at({ summary_index: 0, text }));
    return done + this.#event("response.reasoning_summary_part.done", this.#summaryPart(text));
  }

  #textPart(text: string): object {
    return this.#at({ content_index: 0, part: { type: "output_text", text, annotations: [] } });
  }

  #summaryPart(text: string): object {
    return this.#at({ summary_index: 0, part: { type: "summary_text", text } });
  }

  #at(more: object): object {
    return { item_id: this.#item?.id, output_index: this.#output.length, ...more };
  }

  #event(type: string, more: object): string {
    return frame({ type, sequence_number: this.#sequence++, ...more } as Json, type);
  }
}
