import { EXIT } from "../cli/exit-code.ts";
import type { RunResult } from "./reporter.ts";

type Ended = Pick<RunResult, "exitCode" | "session" | "reason" | "applied" | "patch" | "hasChanges">;

/** What the user may want to do now, as lines. */
export function nextSteps({ session, reason, exitCode, applied, patch, hasChanges }: Ended, program: string): string[] {
  const run = `${program} run --session ${session}`;
  if (reason === "approval") return [`Nobody is here to answer. Answer in a terminal: ${run}`];
  if (exitCode === EXIT.interrupted) return [`Stopped; the session is kept. Go on: ${run} "…"`];
  if (reason === "budget") return [`Go on with more: ${run} "go on" --max-cost <usd>`];
  if (reason === "steps") return [`Go on with more: ${run} "go on" --max-steps <n>`];
  if (applied?.some(({ status }) => status === "refused")) {
    return [`Your files are as they were where it was refused. To merge by hand: ${run} --patch <file>`];
  }
  const apply =
    hasChanges && !applied && patch === undefined ? [`Nothing on disk was changed. Apply it: ${run} --apply`] : [];
  return [...apply, `Go on: ${run} "…"`];
}
