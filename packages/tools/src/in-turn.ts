import type { ToolOutput } from "@tenrec/protocol";
import type { CodingTool } from "./coding-tool.ts";

/**
 * Wraps tools so that their calls run one after another, in the order in which they came: the AI SDK runs the calls of one
 * answer side by side, and of two that read a file and write it the first would be lost. A call that is aborted while it
 * waits rejects with the reason at its turn.
 */
export function createTurns(): (tool: CodingTool) => CodingTool {
  let last: Promise<unknown> = Promise.resolve();
  return (tool) => {
    const { execute } = tool;
    if (!execute) return tool;
    return {
      ...tool,
      execute: (input, options): Promise<ToolOutput> => {
        const run = async (): Promise<ToolOutput> => (await execute(input, options)) as ToolOutput;
        const turn = last.then(run);
        last = turn.catch(() => undefined);
        return turn;
      },
    };
  };
}
