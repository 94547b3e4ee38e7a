import type { ExecEvent, ExecOptions, Executor } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";
import type { ExecutorSubject } from "@tenrec/protocol/testing";
import { executorCases } from "@tenrec/protocol/testing";
import { describe, expect, test } from "vitest";
import type { CommandPart } from "./executor-script.ts";
import { manualClock } from "./manual-clock.ts";
import { memoryFileSystem } from "./memory-file-system.ts";
import { scriptedExecutor } from "./scripted-executor.ts";
import { all, canFail, keepsContract } from "./with-cases.ts";

const commands = {
  prints: "prints",
  fails: "fails",
  hangs: "hangs",
  reads: "cat in.txt",
  appends: "appends",
  echoes: "cat",
  printsEnv: "env",
  refused: "no such command",
};

const executor = (): Executor =>
  scriptedExecutor({
    name: "fake",
    commands: [
      { when: "prints", does: [{ stdout: "out" }, { stderr: "err" }] },
      { when: "fails", does: [], exit: 3 },
      { when: "hangs", does: [{ delay: 10_000 }] },
      { when: "cat in.txt", does: [{ read: "in.txt" }] },
      { when: "appends", does: [{ append: "made.txt", content: "x" }] },
      { when: "cat", does: [{ stdin: true }] },
      { when: "env", does: [{ env: "TENREC_CASE" }] },
    ],
  });

const subject = (): ExecutorSubject => ({ executor: executor(), fs: memoryFileSystem(), commands });

keepsContract("scriptedExecutor", executorCases, subject);

/** The same, with some of its methods replaced. */
function withExecutor(change: (inner: Executor) => Partial<Executor>): () => ExecutorSubject {
  return () => {
    const inner = executor();
    return { ...subject(), executor: { ...inner, ...change(inner) } };
  };
}

/** The same, with other options than it is given. */
function withOptions(change: (options: ExecOptions) => Partial<ExecOptions>): () => ExecutorSubject {
  return withExecutor((inner) => ({
    exec: (command, options) => inner.exec(command, { ...options, ...change(options) }),
  }));
}

async function* throwing(error: Error): AsyncGenerator<ExecEvent> {
  yield { type: "stdout", bytes: new Uint8Array() };
  throw error;
}

const fresh = (): { operationId: string } => ({ operationId: crypto.randomUUID() });

canFail(executorCases, {
  "output comes on its own stream, then exit 0": withExecutor((inner) => ({
    exec: async function* (command, options) {
      for await (const event of inner.exec(command, options)) {
        yield event.type === "stderr" ? { ...event, type: "stdout" as const } : event;
      }
    },
  })),
  "a failing command is an exit code, not a throw": withExecutor(() => ({
    exec: () => throwing(new Error("exited with 3")),
  })),
  "it accepts what it can run, and refuses the rest": withExecutor(() => ({ accepts: () => true })),
  "the environment and standard input reach the command": withOptions(() => ({ stdin: new Uint8Array() })),
  "a command sees the tree, from its working directory": withOptions(() => ({ cwd: "/" })),
  "what a command changes is in the tree before exit": withExecutor((inner) => ({
    exec: async function* (command, options) {
      // Written back one moment after exit.
      const copy = memoryFileSystem();
      yield* inner.exec(command, { ...options, fs: copy, cwd: "/" });
      await options.fs.writeFile("/sub/made.txt", await copy.readFile("/made.txt"));
    },
  })),
  "the same operation is never started twice": withOptions(fresh),
  "a command that takes too long throws timeout": withExecutor(() => ({ exec: () => throwing(new Error("late")) })),
  "an abort throws its reason": withExecutor(() => ({
    exec: () => throwing(new TenrecError("aborted", { reason: "asked to" })),
  })),
  "a signal that is aborted already starts nothing": withOptions(() => ({ signal: new AbortController().signal })),
  "attach, where it is offered, tells a run again from its start": withExecutor(() => ({
    attach: async function* () {
      yield { type: "exit" as const, code: 0 };
    },
  })),
  "stop, where it is offered, may be called twice": withExecutor(() => {
    let stops = 0;
    return {
      stop: async () => {
        if (++stops > 1) throw new Error("stopped before");
      },
    };
  }),
});

describe("scriptedExecutor", () => {
  const play = async (
    does: CommandPart[],
    files = {},
  ): Promise<{ files: string[]; read: (path: string) => Promise<string> }> => {
    const fs = memoryFileSystem(files);
    const scripted = scriptedExecutor({ name: "x", commands: [{ when: { startsWith: "go" }, does }] });
    const options = { fs, timeout: 1000, signal: new AbortController().signal, operationId: "1" };
    for await (const event of scripted.exec("go on", options)) void event;
    return { files: await fs.glob("**"), read: (path) => fs.readFile(path) };
  };

  test("writes and removes files", async () => {
    const { files, read } = await play([{ write: "out/a.txt", content: "a" }, { remove: "old" }], {
      "/old/b.txt": "b",
    });
    expect(files).toEqual(["/out", "/out/a.txt"]);
    expect(await read("/out/a.txt")).toBe("a");
  });

  test("breaks where its script says so", async () => {
    await expect(play([{ stdout: "a" }, { crash: "machine lost" }])).rejects.toThrow("machine lost");
  });

  test("a run outlives its reader, and is attached to from its start", async () => {
    const clock = manualClock();
    const does = [{ stdout: "one" }, { delay: 100 }, { stdout: "two" }];
    const scripted = scriptedExecutor({ name: "x", commands: [{ when: "go", does }] }, { clock });
    const options = { fs: memoryFileSystem(), timeout: 1000, signal: new AbortController().signal, operationId: "1" };
    for await (const event of scripted.exec("go", options)) {
      expect(event.type).toBe("stdout");
      break;
    }
    const attached = all(scripted.attach("1"));
    await clock.advance(100);
    const text = (await attached).map((event) =>
      event.type === "exit" ? event.code : new TextDecoder().decode(event.bytes),
    );
    expect(text).toEqual(["one", "two", 0]);
    expect(scripted.started).toEqual([{ command: "go", operationId: "1" }]);
  });

  test("an unknown command line exits with 127, an unknown run is refused", async () => {
    const scripted = scriptedExecutor({ name: "x", commands: [] });
    const options = { fs: memoryFileSystem(), timeout: 1000, signal: new AbortController().signal, operationId: "1" };
    expect((await all(scripted.exec("go", options))).at(-1)).toEqual({ type: "exit", code: 127 });
    expect(() => scripted.attach("2")).toThrow("no run has the operation id 2");
  });
});
