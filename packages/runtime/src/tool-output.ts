import type { ToolMedia, ToolOutput } from "@tenrec/protocol";
import type { SavedOutputs } from "@tenrec/tools";
import { capOutput } from "@tenrec/tools";

function isMedia(value: unknown): value is ToolMedia {
  if (typeof value !== "object" || value === null || !("mediaType" in value) || !("data" in value)) return false;
  return typeof value.mediaType === "string" && typeof value.data === "string";
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return JSON.stringify(value) ?? "done";
}

/**
 * What a tool returned, in the shape that the journal keeps and within the caps. Tools of users may return what they like:
 * text, JSON, or a `ToolOutput`, of which only the parts that are well-formed are taken.
 */
export function toToolOutput(value: unknown, outputs: SavedOutputs): ToolOutput {
  if (typeof value !== "object" || value === null || !("text" in value) || typeof value.text !== "string") {
    return { text: capOutput(textOf(value), outputs) };
  }
  const output = value as { text: string } & Record<string, unknown>;
  const media = Array.isArray(output["media"]) ? output["media"].filter(isMedia) : [];
  return {
    text: capOutput(output.text, outputs),
    ...(output["isError"] === true ? { isError: true } : {}),
    ...(media.length > 0 ? { media } : {}),
    ...(output["data"] === undefined ? {} : { data: output["data"] as NonNullable<ToolOutput["data"]> }),
  };
}
