import type { FileDiff, TenrecEvent, TurnEndReason } from "@tenrec/protocol";
import type { ExitCode } from "../cli/exit-code.ts";
import type { FileOutcome } from "../folder/apply-changes.ts";
import type { Spent } from "../view/spent.ts";

export interface StartInfo {
  readonly session: string;
  readonly dir: string;
  readonly model: string;
  /** Why it is this model; absent when it is not asked for anything. */
  readonly because: string | undefined;
  readonly permission: string;
  /** False when the session existed before. */
  readonly isNew: boolean;
  /** What was imported. */
  readonly files: number;
  readonly bytes: number;
}

export interface RunResult {
  readonly exitCode: ExitCode;
  readonly session: string;
  /** How the turn ended; absent when none was followed to its end. */
  readonly reason: TurnEndReason | "approval" | undefined;
  /** The last answer, or why there is none. */
  readonly text: string;
  readonly spent: Spent;
  /** The session has changes that were not applied. */
  readonly hasChanges: boolean;
  /** What `--apply` did, file by file. */
  readonly applied: readonly FileOutcome[] | undefined;
  /** The file that `--patch` wrote. */
  readonly patch: string | undefined;
}

/** Where a run tells what it does. */
export interface Reporter extends Disposable {
  /** What is going on before the first event. */
  status(text: string): void;
  warn(text: string): void;
  start(info: StartInfo): void;
  event(event: TenrecEvent): void;
  diff(diffs: readonly FileDiff[]): void;
  result(result: RunResult): void;
}
