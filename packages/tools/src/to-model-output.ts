import type { ToolOutput } from "@tenrec/protocol";
import type { Tool } from "ai";

type ModelOutput = Awaited<ReturnType<NonNullable<Tool["toModelOutput"]>>>;

/** What a model is sent for a tool's answer: its text, and its media as files. `data` is never sent. */
export function toModelOutput(output: ToolOutput): ModelOutput {
  if (output.isError) return { type: "error-text", value: output.text };
  if (!output.media?.length) return { type: "text", value: output.text };
  const files = output.media.map(({ mediaType, data }) => ({
    type: "file" as const,
    mediaType,
    data: { type: "data" as const, data },
  }));
  return { type: "content", value: [{ type: "text", text: output.text }, ...files] };
}
