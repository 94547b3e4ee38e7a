import type { ToolOutput, ToolTraits } from "@tenrec/protocol";
import { hasCode } from "@tenrec/protocol";
import type { Schema, Tool } from "ai";
import { tool } from "ai";
import { failedOutput } from "./failed-output.ts";
import { parseToolInput } from "./run-tool.ts";
import { toModelOutput } from "./to-model-output.ts";

/** A tool for the AI SDK that also says how it may be replayed and what it may touch. Its `execute` answers a `ToolOutput`. */
export type CodingTool = Tool & { readonly traits: ToolTraits };

/** Tools by name. The order of the keys is the order in which a model is told about them. */
export type CodingTools = Record<string, CodingTool>;

/** What makes one of the tools of this package. */
export interface ToolDefinition<Input> {
  readonly name: string;
  readonly description: string;
  /** A module constant, so that creating a tool costs nothing. */
  readonly schema: Schema<Input>;
  readonly traits: ToolTraits;
  /** May throw anything; `signal` is never missing. */
  run(input: Input, signal: AbortSignal): Promise<ToolOutput>;
}

/**
 * The one place where a tool meets the AI SDK. Its `execute` never throws at a model: a failure is an answer with
 * `isError`. Two things pass through: `approval-required`, which the runtime handles, and `signal.reason` on abort.
 */
export function createCodingTool<Input>(definition: ToolDefinition<Input>): CodingTool {
  const { name, description, schema, traits } = definition;
  const created = tool<Input, ToolOutput, Record<string, unknown>>({
    description,
    inputSchema: schema,
    toModelOutput({ output }) {
      return toModelOutput(output);
    },
    async execute(input, options): Promise<ToolOutput> {
      const signal = options.abortSignal ?? new AbortController().signal;
      try {
        signal.throwIfAborted();
        // A recovered call comes from a journal, which an older version of the schema may have let through.
        const valid = await parseToolInput({ inputSchema: schema }, input, name);
        return await definition.run(valid as Input, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (hasCode(error, "approval-required")) throw error;
        return failedOutput(error);
      }
    },
  });
  return Object.assign(created, { traits });
}
