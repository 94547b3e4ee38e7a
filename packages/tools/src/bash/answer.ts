import type { ToolOutput } from "@tenrec/protocol";
import { capOutput } from "../cap-output.ts";
import type { SavedOutputs } from "../tool-ports.ts";

export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  readonly timedOut: boolean;
}

/** Kept for the notes and the exit code below the output. */
const NOTES_BYTES = 2048;
const CAPS = { lines: 1980, bytes: 50 * 1024 - NOTES_BYTES };

/**
 * A command's answer: what it printed, what it printed to stderr under a heading, then notes, and its exit code when that
 * is not 0. A failing command is an answer, not an error of the tool; one that was stopped is.
 */
export function commandAnswer(
  result: CommandResult,
  outputs: SavedOutputs,
  seconds: number,
  more: { readonly notes?: readonly string[]; readonly executor?: string } = {},
): ToolOutput {
  const { stdout, exitCode, timedOut } = result;
  const stderr = withoutLimitNames(result.stderr);
  const printed = [stdout, stderr && (stdout ? `[stderr]\n${stderr}` : stderr)].map(trimEnd).filter(Boolean).join("\n");
  const notes = [...(more.notes ?? [])];
  if (timedOut)
    notes.push(
      `[stopped after ${seconds} s; file changes up to then are kept. Use a longer timeout, or do less at once]`,
    );
  else if (exitCode !== 0) notes.push(`[exit code ${exitCode}]`);
  const text = [printed && capOutput(printed, outputs, CAPS), ...notes].filter(Boolean).join("\n");
  return {
    text: text || "(no output, exit code 0)",
    ...(timedOut ? { isError: true } : {}),
    data: { exitCode, ...(more.executor === undefined ? {} : { executor: more.executor }) },
  };
}

/** just-bash advises its host to raise a limit, which a model cannot. */
function withoutLimitNames(stderr: string): string {
  return stderr.replace(/, increase executionLimits\.\w+/g, "; do less in one command");
}

function trimEnd(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}
