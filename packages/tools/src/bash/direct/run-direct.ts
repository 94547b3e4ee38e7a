import type { IFileSystem } from "just-bash/browser";
import { MAX_OUTPUT_BYTES } from "../limits.ts";
import type { CommandHost } from "../to-bash-command.ts";
import type { DirectLine } from "./direct-line.ts";
import { LineDiscarded, LineEnd, ShellEnd, STOPPED } from "./endings.ts";
import { Input } from "./input.ts";
import { OutputText } from "./output-text.ts";
import type { Processes } from "./processes.ts";
import type { Shell } from "./shell-state.ts";

export interface DirectRun {
  readonly fs: IFileSystem;
  /** The shell's working directory at the beginning, an absolute path. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Nothing begins any more after it is aborted. */
  readonly signal: AbortSignal;
  readonly host: CommandHost;
  readonly processes: Processes;
}

interface DirectResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Runs a line as the shell would. What it printed until it was stopped is in the result. */
export async function runDirect(
  line: DirectLine,
  { fs, cwd, env, signal, host, processes }: DirectRun,
): Promise<DirectResult> {
  const output = new OutputText(MAX_OUTPUT_BYTES);
  const shell: Shell = {
    run: { fs, signal, host, processes, commands: 0, rounds: 0, unwritten: new Set(), changes: 0 },
    env: new Map(Object.entries({ ...env, PWD: cwd })),
    exported: new Set(Object.keys(env)),
    functions: new Map(),
    options: { errexit: false, nounset: false, pipefail: false },
    args: [],
    cwd,
    status: 0,
    stdin: new Input([]),
    stdout: output.stdout,
    stderr: output.stderr,
    leave: undefined,
    hidden: [],
    tested: 0,
    depth: 0,
    substituted: 0,
  };
  try {
    return { exitCode: await runLines(line, shell), ...output.texts() };
  } catch (error) {
    if (!(error instanceof LineEnd)) throw error;
    const { stdout, stderr } = output.texts();
    return { stdout, stderr: stderr + error.text, exitCode: error.code };
  }
}

async function runLines(line: DirectLine, shell: Shell): Promise<number> {
  for (const code of line.codes) {
    try {
      await code(shell);
    } catch (error) {
      if (error instanceof ShellEnd) return error.code;
      if (!(error instanceof LineDiscarded)) throw error;
      shell.status = 1;
      shell.tested = 0;
    }
    if (shell.run.signal.aborted) throw new LineEnd(STOPPED);
  }
  return shell.status;
}
