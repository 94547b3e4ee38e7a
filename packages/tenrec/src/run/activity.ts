import type { TenrecEvent, ToolCallEvent } from "@tenrec/protocol";
import { costText, NOTHING_SPENT, type Spent, spend } from "../view/spent.ts";
import { essentialArgument } from "../view/essential-argument.ts";

/** What the agent is doing, for a status line. */
export interface Activity {
  readonly doing: string;
  readonly spent: Spent;
  /** Calls without a result. */
  readonly calls: readonly ToolCallEvent[];
}

export const STARTING: Activity = { doing: "", spent: NOTHING_SPENT, calls: [] };

/** One step of the fold over a session's events. */
export function nextActivity(activity: Activity, event: TenrecEvent): Activity {
  switch (event.type) {
    case "input":
    case "turn-start":
      return { ...activity, doing: "starting" };
    case "step-start":
      return { ...activity, doing: "waiting for the model", calls: [] };
    case "reasoning-delta":
      return { ...activity, doing: "the model is thinking" };
    case "text-delta":
      return { ...activity, doing: "the model is writing" };
    case "tool-input-delta":
      return { ...activity, doing: `the model is writing a call of ${event.toolName}` };
    case "tool-call":
      return running(activity, [...activity.calls, event]);
    case "tool-result":
      return running(
        activity,
        activity.calls.filter(({ toolCallId }) => toolCallId !== event.toolCallId),
      );
    case "usage":
      return { ...activity, spent: spend(activity.spent, event) };
    case "approval-request":
    case "turn-end":
      return { ...activity, doing: "", calls: [] };
    default:
      return activity;
  }
}

function running(activity: Activity, calls: readonly ToolCallEvent[]): Activity {
  const [first] = calls;
  const more = calls.length > 1 ? `, and ${calls.length - 1} more` : "";
  const doing = first ? `${first.toolName} ${essentialArgument(first)}${more}` : activity.doing;
  return { ...activity, calls, doing };
}

/** `waiting for the model · 3 calls, $0.02`. */
export function activityText({ doing, spent }: Activity): string {
  if (doing === "" || spent.calls === 0) return doing;
  const cost = spent.usd > 0 ? `, ${costText(spent)}` : "";
  return `${doing} · ${spent.calls} model call${spent.calls === 1 ? "" : "s"}${cost}`;
}
