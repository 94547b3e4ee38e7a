import type { Clock, ExecEvent, ExecOptions, Executor } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";
import { wallClock } from "../wall-clock.ts";
import type { EventLog } from "./event-log.ts";
import { eventLog } from "./event-log.ts";
import type { CommandPart, CommandScript, ExecutorScript } from "./executor-script.ts";

export interface ScriptedExecutor extends Executor {
  attach(operationId: string): AsyncIterable<ExecEvent>;
  /** The command lines that were started, oldest first. */
  readonly started: readonly { readonly command: string; readonly operationId: string }[];
}

/**
 * An executor that plays what its script says about a command line. A run goes on when its caller stops reading; `attach`,
 * and `exec` with the same operation id, tell it from the start. A command line that no script matches exits with 127.
 */
export function scriptedExecutor(script: ExecutorScript, options: { readonly clock?: Clock } = {}): ScriptedExecutor {
  const clock = options.clock ?? wallClock();
  const runs = new Map<string, EventLog<ExecEvent>>();
  const started: { command: string; operationId: string }[] = [];
  const find = (command: string): CommandScript | undefined =>
    script.commands.find(({ when }) => matches(when, command));
  return {
    name: script.name,
    started,
    accepts: (command) => find(command) !== undefined,
    exec: async function* (command, exec) {
      exec.signal.throwIfAborted();
      let run = runs.get(exec.operationId);
      if (!run) {
        run = eventLog();
        runs.set(exec.operationId, run);
        started.push({ command, operationId: exec.operationId });
        const { does, exit = 0 } = find(command) ?? { does: [{ stderr: `sh: ${command}: not found\n` }], exit: 127 };
        void play(does, exit, exec, clock, run);
      }
      yield* run.read();
    },
    attach: (operationId) => {
      const run = runs.get(operationId);
      if (run) return run.read();
      throw new TenrecError("request-invalid", { reason: `no run has the operation id ${operationId}` });
    },
  };
}

function matches(when: CommandScript["when"], command: string): boolean {
  return typeof when === "string" ? command.trim() === when : command.trim().startsWith(when.startsWith);
}

/** Plays a command into its log. Never rejects: a failure ends the log. */
async function play(
  does: readonly CommandPart[],
  code: number,
  exec: ExecOptions,
  clock: Clock,
  run: EventLog<ExecEvent>,
): Promise<void> {
  const over = new AbortController();
  const late = new AbortController();
  clock.sleep(exec.timeout, over.signal).then(
    () => late.abort(new TenrecError("timeout", { what: "The command", ms: exec.timeout })),
    () => {},
  );
  const signal = AbortSignal.any([exec.signal, late.signal]);
  try {
    for (const part of does) {
      signal.throwIfAborted();
      await playPart(part, exec, clock, signal, (event) => run.add(event));
    }
    signal.throwIfAborted();
    run.add({ type: "exit", code });
    run.end();
  } catch (error) {
    run.end({ error });
  } finally {
    over.abort();
  }
}

async function playPart(
  part: CommandPart,
  { fs, cwd = "/", env = {}, stdin = new Uint8Array() }: ExecOptions,
  clock: Clock,
  signal: AbortSignal,
  emit: (event: ExecEvent) => void,
): Promise<void> {
  const at = (path: string): string => fs.resolvePath(cwd, path);
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  if ("stdout" in part) return emit({ type: "stdout", bytes: bytes(part.stdout) });
  if ("stderr" in part) return emit({ type: "stderr", bytes: bytes(part.stderr) });
  if ("delay" in part) return clock.sleep(part.delay, signal);
  if ("write" in part) return fs.writeFile(at(part.write), part.content);
  if ("append" in part) return fs.appendFile(at(part.append), part.content);
  if ("remove" in part) return fs.rm(at(part.remove), { recursive: true });
  if ("read" in part) return emit({ type: "stdout", bytes: await fs.readFileBytes(at(part.read)) });
  if ("env" in part) return emit({ type: "stdout", bytes: bytes(env[part.env] ?? "") });
  if ("stdin" in part) return emit({ type: "stdout", bytes: stdin });
  throw new Error(part.crash);
}
