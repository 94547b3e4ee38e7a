import type { CodingTools } from "@tenrec/tools";

/** Text of the project's own instructions beyond this is cut. */
const MAX_INSTRUCTION_CHARS = 32_000;

/** Where a project keeps instructions for agents; the first that exists is used. */
export const INSTRUCTION_FILES: readonly string[] = ["/AGENTS.md", "/CLAUDE.md"];

/**
 * The system prompt. The same tools and instructions give the same bytes, so that a provider's prompt cache hits at every
 * step: no date, no state, no order that could change.
 */
export function systemPrompt(tools: CodingTools, project: string | undefined, extra: string): string {
  const names = Object.keys(tools).join(", ");
  const parts = [
    "You are a coding agent. You work on the project in /workspace until the user's request is done.",
    [
      `Tools: ${names}. Paths are relative to /workspace.`,
      "- Look before you change: find the place with grep or glob, read it, then edit. Do not guess file contents.",
      "- Change only what the request needs, in the style of the code around it.",
      "- Call tools that do not depend on each other together.",
      "- When a tool fails, its answer says what to do next.",
      "- Every change is saved at once. There is no need to commit or to back up.",
      "- When you are done, say briefly what you changed and what you could not check.",
    ].join("\n"),
  ];
  if (extra !== "") parts.push(extra);
  if (project !== undefined) {
    const cut = project.length > MAX_INSTRUCTION_CHARS;
    const text = cut ? `${project.slice(0, MAX_INSTRUCTION_CHARS)}\n[cut]` : project;
    parts.push(`Instructions of this project:\n${text}`);
  }
  return parts.join("\n\n");
}
