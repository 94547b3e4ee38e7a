import { hasCode } from "../errors.ts";
import type { ExecEvent, ExecOptions, Executor } from "../executor.ts";
import type { FileSystem } from "../file-system.ts";
import { check, rejection, resolution, within } from "./check.ts";
import type { ContractCase } from "./contract-case.ts";

/** An executor, an empty tree for it, and a command line that it can run for each purpose. */
export interface ExecutorSubject {
  readonly executor: Executor;
  readonly fs: FileSystem;
  readonly commands: {
    /** Writes `out` to stdout and `err` to stderr, without line ends, and succeeds. */
    readonly prints: string;
    /** Exits with code 3. */
    readonly fails: string;
    /** Runs for at least ten seconds unless it is ended. */
    readonly hangs: string;
    /** Writes the content of `in.txt` in its working directory to stdout. */
    readonly reads: string;
    /** Appends `x` to `made.txt` in its working directory, creating it. */
    readonly appends: string;
    /** Writes its standard input to stdout. */
    readonly echoes: string;
    /** Writes the environment variable `TENREC_CASE` to stdout, without a line end. */
    readonly printsEnv: string;
    /** A command line that `accepts` refuses; absent when there is none. */
    readonly refused?: string;
  };
}

interface Outcome {
  readonly stdout: Uint8Array;
  readonly stderr: string;
  readonly code: number;
}

type Extra = Partial<Omit<ExecOptions, "fs">>;

let runs = 0;

function start({ executor, fs }: ExecutorSubject, command: string, extra: Extra = {}): AsyncIterable<ExecEvent> {
  const operationId = `case-${++runs}`;
  const signal = new AbortController().signal;
  return executor.exec(command, { fs, timeout: 30_000, signal, operationId, ...extra });
}

/** Reads a run to its end and checks that its `exit` is the one and last event. */
async function finish(events: AsyncIterable<ExecEvent>, onExit?: () => Promise<void>): Promise<Outcome> {
  const out: number[] = [];
  const err: number[] = [];
  let code: number | undefined;
  for await (const event of events) {
    check(code === undefined, `nothing after exit, not ${event.type}`);
    if (event.type === "stdout") out.push(...event.bytes);
    else if (event.type === "stderr") err.push(...event.bytes);
    else {
      code = event.code;
      await onExit?.();
    }
  }
  check(code !== undefined, "an exit at the end");
  return { stdout: Uint8Array.from(out), stderr: text(Uint8Array.from(err)), code };
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

async function contentOf(fs: FileSystem, path: string): Promise<string | undefined> {
  return (await fs.exists(path)) ? fs.readFile(path) : undefined;
}

type Run = (subject: ExecutorSubject) => Promise<void>;

const OUTPUT: Readonly<Record<string, Run>> = {
  "output comes on its own stream, then exit 0": async (subject) => {
    const { stdout, stderr, code } = await finish(start(subject, subject.commands.prints));
    check(text(stdout) === "out", `"out" on stdout, not ${JSON.stringify(text(stdout))}`);
    check(stderr === "err", `"err" on stderr, not ${JSON.stringify(stderr)}`);
    check(code === 0, `exit code 0, not ${code}`);
  },
  "a failing command is an exit code, not a throw": async (subject) => {
    const run = finish(start(subject, subject.commands.fails));
    const { code } = await resolution(run, "an exit code, not a throw");
    check(code === 3, `exit code 3, not ${code}`);
  },
  "it accepts what it can run, and refuses the rest": async ({ executor, commands }) => {
    const { refused, ...accepted } = commands;
    for (const command of Object.values(accepted)) check(executor.accepts(command), `${command} to be accepted`);
    if (refused !== undefined) check(!executor.accepts(refused), `${refused} to be refused`);
  },
  "the environment and standard input reach the command": async (subject) => {
    const env = await finish(start(subject, subject.commands.printsEnv, { env: { TENREC_CASE: "two words" } }));
    check(text(env.stdout) === "two words", "the variable's value");
    const stdin = Uint8Array.of(0x61, 0x00, 0xff, 0x0a);
    const echo = await finish(start(subject, subject.commands.echoes, { stdin }));
    check(echo.stdout.join() === stdin.join(), "the same bytes, those that are not UTF-8 included");
  },
};

const TREE: Readonly<Record<string, Run>> = {
  "a command sees the tree, from its working directory": async (subject) => {
    await subject.fs.writeFile("/in.txt", "at the root");
    await subject.fs.writeFile("/sub/in.txt", "below");
    const root = await finish(start(subject, subject.commands.reads));
    check(text(root.stdout) === "at the root", "the file at the root by default");
    const below = await finish(start(subject, subject.commands.reads, { cwd: "/sub" }));
    check(text(below.stdout) === "below", "the file in cwd");
  },
  "what a command changes is in the tree before exit": async (subject) => {
    await subject.fs.mkdir("/sub");
    let atExit: string | undefined;
    await finish(start(subject, subject.commands.appends, { cwd: "/sub" }), async () => {
      atExit = await contentOf(subject.fs, "/sub/made.txt");
    });
    check(atExit === "x", "the written file at the time of exit");
    await finish(start(subject, subject.commands.appends, { cwd: "/sub" }));
    check((await contentOf(subject.fs, "/sub/made.txt")) === "xx", "the next command to see and keep it");
  },
  "the same operation is never started twice": async (subject) => {
    const operationId = `case-${++runs}`;
    await finish(start(subject, subject.commands.appends, { operationId }));
    // Whether the second call answers or throws is not said, only that nothing runs again.
    await finish(start(subject, subject.commands.appends, { operationId })).catch(() => undefined);
    check((await contentOf(subject.fs, "/made.txt")) === "x", "the command to have run once");
  },
};

const END: Readonly<Record<string, Run>> = {
  "a command that takes too long throws timeout": async (subject) => {
    const run = rejection(finish(start(subject, subject.commands.hangs, { timeout: 50 })), "a timeout");
    const error = await within(8000, run, "the run to end");
    check(hasCode(error, "timeout"), "the code timeout");
    check(error.data.ms === 50, "the time limit in its data");
  },
  "an abort throws its reason": async (subject) => {
    const stop = new AbortController();
    const reason = new Error("enough");
    const run = rejection(finish(start(subject, subject.commands.hangs, { signal: stop.signal })), "an abort");
    setTimeout(() => stop.abort(reason), 50);
    check((await within(8000, run, "the run to end")) === reason, "the signal's own reason");
  },
  "a signal that is aborted already starts nothing": async (subject) => {
    const reason = new Error("before");
    const run = finish(start(subject, subject.commands.appends, { signal: AbortSignal.abort(reason) }));
    check((await rejection(run, "an abort")) === reason, "the signal's own reason");
    check(!(await subject.fs.exists("/made.txt")), "nothing to have run");
  },
  "attach, where it is offered, tells a run again from its start": async (subject) => {
    if (!subject.executor.attach) return;
    const operationId = `case-${++runs}`;
    await finish(start(subject, subject.commands.prints, { operationId }));
    const { stdout, stderr, code } = await finish(subject.executor.attach(operationId));
    check(text(stdout) === "out" && stderr === "err" && code === 0, "all output and the exit code once more");
  },
  "stop, where it is offered, may be called twice": async ({ executor }) => {
    await executor.stop?.();
    await resolution(Promise.resolve(executor.stop?.()), "a second stop to be harmless");
  },
};

export const executorCases: readonly ContractCase<ExecutorSubject>[] = Object.entries({
  ...OUTPUT,
  ...TREE,
  ...END,
}).map(([name, run]) => ({
  group: "Executor",
  name,
  run: async (make) => {
    await using subject = await make();
    await run(subject);
  },
}));
