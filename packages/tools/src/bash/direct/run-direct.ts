import type { IFileSystem } from "just-bash/browser";
import { problemOf } from "../commands/read-inputs.ts";
import type { CommandContext, CommandInput, CommandOutput } from "../shell-command.ts";
import { type CommandHost, runCommand } from "../to-bash-command.ts";
import { changeFolder } from "./change-folder.ts";
import type { DirectCall, DirectLine, DirectStatement } from "./direct-line.ts";
import { type Chunk, chunkBytes, OutputText } from "./output-text.ts";

export interface DirectRun {
  readonly fs: IFileSystem;
  /** The shell's working directory at the beginning, an absolute path. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Nothing begins any more after it is aborted. */
  readonly signal: AbortSignal;
  readonly host: CommandHost;
  /** Bytes that it may print, and that may be piped at a time. */
  readonly maxOutput: number;
}

interface DirectResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** As of a shell that was stopped, or that reached a limit. */
const STOPPED = 124;
const OVER_LIMIT = 126;

/** Runs a line as the shell would. What it printed until it was stopped is in the result. */
export async function runDirect(line: DirectLine, options: DirectRun): Promise<DirectResult> {
  const run: Run = {
    ...options,
    cwd: options.cwd,
    env: new Map(Object.entries({ ...options.env, PWD: options.cwd })),
    output: new OutputText(options.maxOutput),
  };
  let exitCode = 0;
  for (const statement of line) exitCode = await runStatement(statement, run);
  if (run.output.isFull) exitCode = OVER_LIMIT;
  else if (run.signal.aborted) exitCode = STOPPED;
  return { ...run.output.texts(), exitCode };
}

interface Run extends Omit<DirectRun, "env"> {
  cwd: string;
  readonly env: Map<string, string>;
  readonly output: OutputText;
}

async function runStatement({ pipelines, operators }: DirectStatement, run: Run): Promise<number> {
  let exitCode = 0;
  for (const [at, pipeline] of pipelines.entries()) {
    const operator = at === 0 ? ";" : operators[at - 1];
    if ((operator === "&&" && exitCode !== 0) || (operator === "||" && exitCode === 0)) continue;
    exitCode = await runPipeline(pipeline, run);
  }
  return exitCode;
}

async function runPipeline(calls: readonly DirectCall[], run: Run): Promise<number> {
  let piped: Chunk[] = [];
  let exitCode = 0;
  for (const [at, call] of calls.entries()) {
    if (run.signal.aborted || run.output.isFull) return exitCode;
    const { stdout = "", stderr = "", exitCode: code = 0 } = await runCall(call, piped, run);
    exitCode = code;
    piped = [];
    for (const [text, stream] of [[stdout, call.stdout] as const, [stderr, call.stderr] as const]) {
      const isPiped = stream === "stdout" && at < calls.length - 1;
      if (isPiped && run.output.fits(text)) piped.push(text);
      else if (!isPiped && stream !== "nowhere") run.output.add(stream, text);
    }
  }
  return exitCode;
}

async function runCall(
  { command, args, input }: DirectCall,
  piped: readonly Chunk[],
  run: Run,
): Promise<CommandOutput> {
  const { fs, cwd, env, signal, host } = run;
  let stdin = piped;
  if (input !== undefined) {
    try {
      stdin = [await fs.readFileBuffer(fs.resolvePath(cwd, input))];
    } catch (error) {
      return { stderr: `bash: ${input}: ${problemOf(error)}\n`, exitCode: 1 };
    }
  }
  if (command.name === "cd") return changeFolder(args, run);
  const notHere = async (): Promise<CommandOutput> => ({
    stderr: `bash: ${command.name}: command not found\n`,
    exitCode: 127,
  });
  const context: CommandContext = {
    fs,
    cwd,
    env,
    stdin: inputOf(stdin),
    signal,
    resolve: (path) => fs.resolvePath(cwd, path),
    elsewhere: () => host.onElsewhere(command.name),
    original: notHere,
    exec: notHere,
  };
  return runCommand(command, args, context, host);
}

function inputOf(chunks: readonly Chunk[]): CommandInput {
  const [only = ""] = chunks;
  const bytes = (): Uint8Array => chunkBytes(chunks);
  return {
    bytes,
    text: () =>
      chunks.length < 2 && typeof only === "string"
        ? only
        : new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes()),
  };
}
