import type { Executor, GitRepository, ToolOutput } from "@tenrec/protocol";
import { z } from "zod";
import { commandAnswer } from "./answer.ts";
import { runInExecutor } from "./executor.ts";
import { runShell } from "./shell.ts";
import { createShellCommands } from "./shell-commands.ts";
import type { CodingTool } from "../coding-tool.ts";
import { createCodingTool } from "../coding-tool.ts";
import { heavyCommandsBeside, missingCommandsNote } from "./heavy-commands.ts";
import { commandsIn } from "./commands-in.ts";
import { heavyCommandsIn } from "./heavy-commands-in.ts";
import { parseLine } from "./parse-line.ts";
import { inputSchema } from "../input-schema.ts";
import type { ToolPorts } from "../tool-ports.ts";

export interface BashInput {
  command: string;
  /** Seconds. Default: 30. */
  timeout?: number | undefined;
}

export type BashPorts = Pick<
  ToolPorts,
  "fs" | "search" | "git" | "gate" | "outputs" | "egress" | "executors" | "operationId" | "onEffect" | "onOutput"
>;

const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 120;

/**
 * Runs a command line on the tree: in the isolate when all of its commands are there, else whole in the first executor
 * that accepts it, after the gate allowed it. Without one, what is missing is named. Never both: an escalation found only
 * while running happens before the first change of the tree and the first effect elsewhere, or not at all.
 */
export async function runCommand(ports: BashPorts, input: BashInput, signal: AbortSignal): Promise<ToolOutput> {
  const seconds = input.timeout ?? DEFAULT_SECONDS;
  const timeout = seconds * 1000;
  const executor = ports.executors.find((candidate) => candidate.accepts(input.command));
  let hasEffect = false;
  const onEffect: BashPorts["onEffect"] = (target, kind) => {
    ports.onEffect?.(target, kind);
    hasEffect = true;
  };
  // What it does to the repository is seen nowhere in the tree.
  let usedGit = false;
  const git = ports.git && markedGit(ports.git, () => (usedGit = true));
  const commands = createShellCommands({ ...ports, ...(git ? { git } : {}), onEffect });
  const line = parseLine(input.command);
  const needed = executor ? heavyCommandsIn(line, heavyCommandsBeside(commands), commands) : [];
  if (executor && needed.length > 0) {
    const usesGit = ports.git && commandsIn(line).some(([name]) => name === "git");
    return usesGit ? gitApart(needed) : escalate(ports, executor, input.command, seconds, signal);
  }
  const escalates = (): boolean => executor !== undefined && !hasEffect && !usedGit;
  const result = await runShell(line, { fs: ports.fs, signal, timeout, escalates, commands });
  if (executor && result.escalate) return escalate(ports, executor, input.command, seconds, signal);
  const notes = [...new Set(result.troubles)].slice(0, 3).map((trouble) => `[${trouble}]`);
  if (result.lost.length > 0) notes.push(lostNote(result.lost));
  if (result.missing.length > 0) notes.push(missingNote(ports, executor, result.missing));
  return commandAnswer(result, ports.outputs, seconds, { notes });
}

async function escalate(
  ports: BashPorts,
  executor: Executor,
  command: string,
  seconds: number,
  signal: AbortSignal,
): Promise<ToolOutput> {
  ports.gate.require({ permission: "execute", detail: command });
  ports.onEffect?.(command);
  const { fs, operationId, onOutput } = ports;
  const run = { executor, fs, timeout: seconds * 1000, signal, operationId, onOutput };
  const result = await runInExecutor(command, run);
  return commandAnswer(result, ports.outputs, seconds, { executor: executor.name });
}

function markedGit(git: NonNullable<BashPorts["git"]>, mark: () => void): NonNullable<BashPorts["git"]> {
  return (signal): GitRepository => {
    mark();
    return git(signal);
  };
}

const SHOWN_LOST = 5;

function lostNote(paths: readonly string[]): string {
  const more = paths.length > SHOWN_LOST ? ` and ${paths.length - SHOWN_LOST} more` : "";
  const verb = paths.length === 1 ? "is outside /workspace and was" : "are outside /workspace and were";
  return `[${paths.slice(0, SHOWN_LOST).join(", ")}${more} ${verb} not kept; write below /workspace]`;
}

/** git has its repository here, and an executor has none: a line with both would find none there. */
function gitApart(names: readonly string[]): ToolOutput {
  const text = `git runs here, and ${names.join(", ")} in an executor, which has no repository. Nothing was run: make a call of its own for each part.`;
  return { text, isError: true };
}

function missingNote(ports: BashPorts, executor: Executor | undefined, missing: readonly string[]): string {
  // It turned up after something was done, so starting again elsewhere would do that twice.
  if (executor)
    return `[${missing.join(", ")} was called in a way not seen beforehand; call it by its name, in a call of its own]`;
  return missingCommandsNote(
    missing,
    ports.executors.map(({ name }) => name),
  );
}

const schema = inputSchema<BashInput>(
  z.strictObject({
    command: z.string().min(1),
    timeout: z
      .int()
      .min(1)
      .max(MAX_SECONDS)
      .optional()
      .describe(`seconds, default ${DEFAULT_SECONDS}, at most ${MAX_SECONDS}`),
  }),
  { cmd: "command", description: undefined },
);

/** The `bash` tool. */
export function createBashTool(ports: BashPorts): CodingTool {
  const network = ports.egress ? "Network: curl, wget." : "No network.";
  return createCodingTool<BashInput>({
    name: "bash",
    description: `Run a bash command line in the workspace. Each call starts anew in /workspace; only files there are kept. ${network}`,
    schema,
    traits: { replay: "transaction", permission: "edit" },
    run: (input, signal) => runCommand(ports, input, signal),
  });
}
