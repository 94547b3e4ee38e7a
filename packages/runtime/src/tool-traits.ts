import type { ToolTraits } from "@tenrec/protocol";
import type { CodingTool } from "@tenrec/tools";
import type { Tool } from "ai";

/** What is assumed of a tool that declares nothing: it may do anything, and a person is asked. */
export const UNDECLARED_TRAITS: ToolTraits = { replay: "unsafe", permission: "network" };

/** Declares what an AI SDK tool may do, so that the loop knows when to ask and what to repeat after a crash. */
export function withTraits(tool: Tool, traits: ToolTraits): CodingTool {
  return { ...tool, traits } as CodingTool;
}
