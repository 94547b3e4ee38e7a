import { hash } from "./hash.ts";

/** What a script can see of a model call, whichever way the call came. */
export interface Conversation {
  readonly system: string;
  /** Names, descriptions and schemas of the offered tools, only to estimate their size. */
  readonly tools: string;
  readonly messages: readonly SeenMessage[];
}

export type SeenMessage =
  | SeenPrompt
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly reasoning: string;
      readonly calls: readonly SeenCall[];
    }
  | SeenResult;

export interface SeenPrompt {
  readonly role: "user";
  readonly text: string;
  /** Images and other files, as data URLs or as the addresses that were sent. Absent when there are none. */
  readonly media?: readonly string[];
}

export interface SeenCall {
  readonly id: string;
  readonly tool: string;
  readonly input: string;
}

export interface SeenResult {
  readonly role: "tool";
  readonly id: string;
  readonly tool: string;
  readonly text: string;
  /** Absent when the wire format does not tell. */
  readonly isError?: boolean;
  /** As with a prompt. */
  readonly media?: readonly string[];
}

/** The tool results since the last answer; a user message between them is passed over. */
export function lastResults(conversation: Conversation): readonly SeenResult[] {
  const { messages } = conversation;
  const start = messages.findLastIndex((message) => message.role === "assistant") + 1;
  return messages.slice(start).filter((message) => message.role === "tool");
}

export function lastPrompt(conversation: Conversation): string | undefined {
  return conversation.messages.findLast((message) => message.role === "user")?.text;
}

/** Every file in the conversation, oldest first. */
export function mediaOf(conversation: Conversation): readonly string[] {
  return conversation.messages.flatMap((message) => (message.role === "assistant" ? [] : (message.media ?? [])));
}

/** Whether one of the files has a media type that starts with this, such as `image/`. */
export function hasMedia(message: { readonly media?: readonly string[] }, type: string): boolean {
  return (message.media ?? []).some((url) => url.startsWith(`data:${type}`));
}

/** A user message, with its files when there are any. */
export function prompt(text: string, media: readonly string[]): SeenPrompt {
  return { role: "user", text, ...(media.length > 0 ? { media } : {}) };
}

/** The same conversation with user messages in a row as one. Some wire formats send them as one, and all must see the same. */
export function joinPrompts(conversation: Conversation): Conversation {
  const messages: SeenMessage[] = [];
  for (const message of conversation.messages) {
    const before = messages.at(-1);
    if (message.role === "user" && before?.role === "user") {
      const texts = [before.text, message.text].filter((text) => text !== "");
      messages[messages.length - 1] = prompt(texts.join("\n"), [...(before.media ?? []), ...(message.media ?? [])]);
    } else messages.push(message);
  }
  return { ...conversation, messages };
}

/**
 * A short name for a conversation: the same for a call that is repeated, and the same whichever way the call came.
 * Reasoning and the system prompt are left out, since not every provider sends them back.
 */
export function fingerprint(conversation: Conversation): string {
  const messages = conversation.messages.map((message) => {
    switch (message.role) {
      case "user":
        return ["u", message.text, ...(message.media ?? [])];
      case "assistant":
        return ["a", message.text, ...message.calls.flatMap((call) => [call.id, call.tool])];
      case "tool":
        return ["t", message.id, message.text, ...(message.media ?? [])];
    }
  });
  return hash(JSON.stringify(messages));
}
