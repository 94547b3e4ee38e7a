import { hasCode } from "@tenrec/protocol";
import { StartError } from "../local/start-error.ts";
import { AmbiguousSessionError } from "../store/ambiguous-session-error.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { UsageError } from "./usage-error.ts";

/** What to print for anything thrown, and how to end. */
export function explainError(error: unknown): { readonly message: string; readonly exitCode: ExitCode } {
  if (!(error instanceof Error)) return { message: `tenrec: ${String(error)}`, exitCode: EXIT.failed };
  const { message } = error;
  if (error instanceof UsageError || error instanceof AmbiguousSessionError) return { message, exitCode: EXIT.usage };
  if (hasCode(error, "session-not-found")) {
    return { message: `There is no session ${error.data.session}. See: tenrec sessions`, exitCode: EXIT.usage };
  }
  if (hasCode(error, "point-not-found")) {
    return { message: `There is no ${error.data.point} to take back, or it was taken back.`, exitCode: EXIT.usage };
  }
  if (hasCode(error, "EFBIG") || hasCode(error, "ENOSPC")) {
    return { message: `${message}. List in .gitignore what the agent does not need.`, exitCode: EXIT.failed };
  }
  return { message: error instanceof StartError ? message : `tenrec: ${message}`, exitCode: EXIT.failed };
}
