import type { IFileSystem } from "just-bash/browser";
import { MAX_OUTPUT_BYTES } from "../limits.ts";
import { problemOf } from "../problem-of.ts";
import type { CommandContext, CommandInput, CommandOutput, ShellCommand } from "../shell-command.ts";
import { type CommandHost, runCommand } from "../to-bash-command.ts";
import { changeFolder } from "./change-folder.ts";
import type { DirectCall, DirectLine, DirectStatement, Stream } from "./direct-line.ts";
import { type Chunk, chunkBytes, OutputText } from "./output-text.ts";

export interface DirectRun {
  readonly fs: IFileSystem;
  /** The shell's working directory at the beginning, an absolute path. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Nothing begins any more after it is aborted. */
  readonly signal: AbortSignal;
  readonly host: CommandHost;
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
    output: new OutputText(MAX_OUTPUT_BYTES),
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
    if (run.signal.aborted || run.output.isFull) break;
    const next: Chunk[] = [];
    const print: Print = (chunk, stream) => {
      if (stream !== "stdout" || at === calls.length - 1) run.output.add(stream, chunk);
      else if (run.output.fits(chunk)) next.push(chunk);
    };
    exitCode = await runCall(call, piped, print, run);
    piped = next;
  }
  return exitCode;
}

type Print = (chunk: Chunk, stream: Stream) => void;

async function runCall(call: DirectCall, piped: readonly Chunk[], print: Print, run: Run): Promise<number> {
  const { command, args, input } = call;
  let stdin = piped;
  if (input !== undefined) {
    try {
      stdin = [await run.fs.readFileBuffer(run.fs.resolvePath(run.cwd, input))];
    } catch (error) {
      print(`bash: ${input}: ${problemOf(error)}\n`, call.inputProblem);
      return 1;
    }
  }
  const isShell = command.name === "cd";
  const output = await (isShell
    ? changeFolder(args, run)
    : runCommand(command, args, contextOf(command, stdin, run), run.host));
  print(output.stdout ?? "", call.stdout);
  print(output.stderr ?? "", call.stderr);
  return output.exitCode ?? 0;
}

function contextOf({ name }: ShellCommand, stdin: readonly Chunk[], run: Run): CommandContext {
  const { fs, cwd, env, signal, host } = run;
  const notHere = async (): Promise<CommandOutput> => ({ stderr: `bash: ${name}: command not found\n`, exitCode: 127 });
  return {
    fs,
    cwd,
    env,
    exported: {},
    stdin: inputOf(stdin),
    signal,
    resolve: (path) => fs.resolvePath(cwd, path),
    elsewhere: () => host.onElsewhere(name),
    original: notHere,
    exec: notHere,
  };
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
