import { errorFromJson, TenrecError, toModelText, type ToolOutput, type ToolResultEvent } from "@tenrec/protocol";
import type { Action } from "./loop.ts";
import { toolResult } from "./run-call.ts";
import { treeOf, type Workspace } from "./workspace.ts";

type Settle = Extract<Action, { type: "settle-call" }>;

function failed(error: unknown): ToolOutput {
  return { text: toModelText(error), isError: true };
}

function settled({ call, as, reason }: Settle): { status: ToolResultEvent["status"]; output: ToolOutput } {
  const tool = call.toolName;
  switch (as) {
    case "invalid":
      return { status: "error", output: failed(call.invalid && errorFromJson(call.invalid)) };
    case "denied": {
      const detail = `a person refused this call of ${tool}${reason ? `: ${reason}` : ""}`;
      return {
        status: "denied",
        output: failed(new TenrecError("permission-denied", { permission: call.permission, detail })),
      };
    }
    case "expired": {
      const detail = `nobody allowed this call of ${tool} in time`;
      return {
        status: "denied",
        output: failed(new TenrecError("permission-denied", { permission: call.permission, detail })),
      };
    }
    case "interrupted":
      return { status: "interrupted", output: failed(new TenrecError("tool-interrupted", { tool })) };
    case "stopped":
      return {
        status: "interrupted",
        output: failed(new TenrecError("aborted", { reason: "the user stopped the turn" })),
      };
    case "repeated": {
      const because = "the same call was made three times in a row, so it was not run again";
      return { status: "interrupted", output: failed(new TenrecError("aborted", { reason: because })) };
    }
  }
}

/** Settles what was under way and is not gone on with: its outcome is unknown. */
export function settleOpenCalls(workspace: Workspace, session: string): void {
  for (const { call, result } of workspace.journal.state(session).turn?.calls ?? []) {
    if (!result) settleCall(workspace, session, { type: "settle-call", call, as: "interrupted" });
  }
}

/** Gives a call its result without running it. */
export function settleCall(workspace: Workspace, session: string, action: Settle): void {
  const { status, output } = settled(action);
  workspace.journal.append(session, [toolResult(action.call, status, output, treeOf(workspace, session), 0)]);
}
