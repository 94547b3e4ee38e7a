import { createBashTool } from "./bash/bash.ts";
import type { CodingTool, CodingTools } from "./coding-tool.ts";
import { createEditTool } from "./edit/edit.ts";
import { createGlobTool } from "./search/glob.ts";
import { createGrepTool } from "./search/grep.ts";
import { createLsTool } from "./search/ls.ts";
import { createTurns } from "./in-turn.ts";
import { createApplyPatchTool } from "./patch/apply-patch.ts";
import { createPreviewTool } from "./preview/preview.ts";
import { createReadTool } from "./read/read.ts";
import { reportSyntax } from "./syntax/report-syntax.ts";
import { createTodoTool } from "./todo.ts";
import type { ToolPorts } from "./tool-ports.ts";
import { createWebFetchTool } from "./web/web-fetch.ts";
import { createWriteTool } from "./write/write.ts";

/**
 * All tools, in an order that never changes: it is a part of the prompt's prefix, which providers cache. Cheap, so that a
 * host makes a set for each call, over that call's overlay. Calls that change files run one after another.
 */
export function createTools(ports: ToolPorts): CodingTools {
  const { egress, preview } = ports;
  const inTurn = createTurns();
  const checked = (tool: CodingTool): CodingTool => inTurn(reportSyntax(tool, ports));
  return {
    read: createReadTool(ports),
    write: checked(createWriteTool(ports)),
    edit: checked(createEditTool(ports)),
    ls: createLsTool(ports),
    glob: createGlobTool(ports),
    grep: createGrepTool(ports),
    bash: checked(createBashTool(ports)),
    todo: createTodoTool(),
    apply_patch: checked(createApplyPatchTool(ports)),
    ...(egress ? { web_fetch: createWebFetchTool({ egress, outputs: ports.outputs }) } : {}),
    ...(preview ? { preview: createPreviewTool({ preview, outputs: ports.outputs }) } : {}),
  };
}
