import { EXIT, type ExitCode } from "../cli/exit-code.ts";
import type { FileOutcome } from "../folder/apply-changes.ts";
import type { Followed } from "./follow-session.ts";
import type { RunResult } from "./reporter.ts";

/** What became of a run's turn, before anything is applied. */
export interface TurnOutcome extends Pick<RunResult, "exitCode" | "reason" | "text"> {
  /** Whether its changes may be taken: the turn is done, or there was none and the user asks for what is there. */
  readonly isTakeable: boolean;
}

export const NOTHING_TO_DO: TurnOutcome = { exitCode: EXIT.done, reason: undefined, text: "", isTakeable: true };

/** How a turn went that was followed. */
export function turnOutcome({ end, unanswered }: Followed, isStopped: boolean): TurnOutcome {
  if (isStopped) return { exitCode: EXIT.interrupted, reason: end?.reason, text: end?.text ?? "", isTakeable: false };
  if (unanswered) {
    return { exitCode: EXIT.stopped, reason: "approval", text: unanswered.detail, isTakeable: false };
  }
  if (!end) return { exitCode: EXIT.failed, reason: undefined, text: "", isTakeable: false };
  return { exitCode: codeOf(end.reason), reason: end.reason, text: end.text, isTakeable: end.reason === "done" };
}

function codeOf(reason: string): ExitCode {
  if (reason === "done") return EXIT.done;
  return reason === "budget" || reason === "steps" ? EXIT.stopped : EXIT.failed;
}

/** A run that did what it was asked for, but not to every file, has failed. */
export function exitCodeOf(exitCode: ExitCode, applied: readonly FileOutcome[] | undefined): ExitCode {
  const isRefused = applied?.some(({ status }) => status === "refused") ?? false;
  return exitCode === EXIT.done && isRefused ? EXIT.failed : exitCode;
}
