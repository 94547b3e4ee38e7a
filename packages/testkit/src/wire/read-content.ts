import type { Fields } from "./read-fields.ts";
import { optional, text } from "./read-fields.ts";

/** The text of a message's content, which is a string or a list of parts. */
export function textsIn(at: string, content: unknown): string {
  if (!Array.isArray(content)) return text(at, content);
  const texts = content.map((part) => optional(part)["text"]);
  return texts.filter((said) => typeof said === "string").join("\n");
}

/** The files in a message's content, however the wire format carries them: as data URLs, or as the addresses that were sent. */
export function mediaIn(content: unknown): readonly string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((value) => {
    const url = fileIn(optional(value));
    return url === undefined ? [] : [url];
  });
}

function fileIn(part: Fields): string | undefined {
  const source = optional(part["source"]);
  const candidates = [
    // Chat Completions and Workers AI; Responses.
    optional(part["image_url"])["url"] ?? part["image_url"],
    optional(part["file"])["file_data"] ?? part["file_data"] ?? part["file_url"],
    // Anthropic Messages.
    source["type"] === "base64"
      ? `data:${String(source["media_type"])};base64,${String(source["data"])}`
      : source["url"],
    // The AI SDK's own form, in results that are sent as JSON.
    sdkFile(part),
  ];
  return candidates.find((url) => typeof url === "string");
}

function sdkFile(part: Fields): string | undefined {
  const data = optional(part["data"])["data"] ?? part["data"];
  const type = part["mediaType"];
  if (typeof data !== "string" || typeof type !== "string") return undefined;
  return data.startsWith("data:") ? data : `data:${type};base64,${data}`;
}
