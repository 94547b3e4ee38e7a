import type { PromptBlock } from "../script/estimate-usage.ts";
import { MEDIA_TOKENS, tokens } from "../script/estimate-usage.ts";
import { mediaIn, textsIn } from "../wire/read-content.ts";
import type { Fields } from "../wire/read-fields.ts";
import { invalid, list, object, optional } from "../wire/read-fields.ts";
import { blocksOf } from "./read-request.ts";

/** As many marks as one request may have. */
const MOST_MARKS = 4;

/**
 * What of a request can be cached, in the order in which it is: tools, system, messages; a mark is a `cache_control`. Throws a
 * `Refusal` where Anthropic does not accept one.
 */
export function cacheBlocks(body: unknown): readonly PromptBlock[] {
  const fields = object("the body", body);
  const blocks = [
    ...list("tools", fields["tools"] ?? []).map((tool) => blockOf(tool, tokens(JSON.stringify(unmarked(tool))))),
    ...blocksOf("system", fields["system"] ?? []).map((block) => blockOf(block, sizeOf(block))),
    ...list("messages", fields["messages"]).flatMap((message, index) => {
      const { role, content } = object(`messages.${index}`, message);
      return blocksOf(`messages.${index}.content`, content).map((block) => blockOf(block, sizeOf(block), role));
    }),
  ];
  const marks = blocks.filter(({ marked }) => marked).length;
  if (marks > MOST_MARKS) {
    throw invalid(`A maximum of ${MOST_MARKS} blocks with cache_control may be provided. Found ${marks}.`);
  }
  const last = blocks.at(-1);
  // One on the request itself stands for one on the last block.
  return last && fields["cache_control"] ? [...blocks.slice(0, -1), { ...last, marked: true }] : blocks;
}

function blockOf(value: unknown, size: number, role?: unknown): PromptBlock {
  const { type, text, cache_control: mark } = optional(value);
  if (mark && type === "text" && text === "") throw invalid("cache_control cannot be set for empty text blocks");
  return { key: JSON.stringify([role ?? null, unmarked(value)]), tokens: size, marked: Boolean(mark) };
}

function unmarked(value: unknown): Fields {
  const { cache_control: _mark, ...rest } = optional(value);
  return rest;
}

function sizeOf(block: Fields): number {
  switch (block["type"]) {
    case "tool_use":
      return tokens(String(block["name"]) + JSON.stringify(block["input"] ?? {}));
    case "tool_result": {
      const content = block["content"] ?? "";
      return tokens(textsIn("content", content)) + mediaIn(content).length * MEDIA_TOKENS;
    }
    default:
      return tokens(textsIn("content", [block])) + mediaIn([block]).length * MEDIA_TOKENS;
  }
}
