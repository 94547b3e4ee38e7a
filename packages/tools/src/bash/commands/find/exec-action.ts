import type { Entry, FindRun, Test } from "./find-run.ts";

/** A command that takes many names at once. */
export interface ExecCall {
  /** Runs it with the names that are left. */
  finish(run: FindRun): Promise<void>;
}

/** As many names as fit into a command line of a system, more or less. */
const MOST = 5000;

/** `-exec` and `-execdir`; `command` ends with `{}` and `+` where it takes many names. */
export function execAction(
  word: string,
  command: readonly string[],
): { readonly test: Test; readonly call?: ExecCall } {
  const isInFolder = word === "-execdir";
  if (command.at(-1) !== "+") return { test: (entry, run) => runFor(entry, run, command, isInFolder) };
  const words = command.slice(0, -2);
  // `-execdir` goes from folder to folder; the others collect.
  const waiting = new Map<string, string[]>();
  const runAll = async (run: FindRun): Promise<void> => {
    for (const [folder, names] of waiting) {
      const whole = [...words, ...names];
      const done = await run.context.exec(isInFolder ? inFolder(folder, whole) : whole, new Uint8Array());
      if (!run.take(done)) run.exitCode = 1;
    }
    waiting.clear();
  };
  return {
    test: async (entry, run) => {
      const folder = isInFolder ? folderOf(entry) : "";
      const names = waiting.get(folder) ?? [];
      names.push(isInFolder ? `./${entry.name}` : entry.path);
      waiting.set(folder, names);
      if (names.length >= MOST) await runAll(run);
      return true;
    },
    call: { finish: runAll },
  };
}

async function runFor(entry: Entry, run: FindRun, command: readonly string[], isInFolder: boolean): Promise<boolean> {
  run.context.signal.throwIfAborted();
  const name = isInFolder ? `./${entry.name}` : entry.path;
  const words = command.map((word) => word.replaceAll("{}", () => name));
  return run.take(await run.context.exec(isInFolder ? inFolder(folderOf(entry), words) : words, new Uint8Array()));
}

function inFolder(folder: string, words: readonly string[]): string[] {
  const quoted = [folder, ...words].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  return ["bash", "-c", `cd ${quoted[0]} && ${quoted.slice(1).join(" ")}`];
}

function folderOf({ absolute }: Entry): string {
  return absolute.slice(0, absolute.lastIndexOf("/")) || "/";
}
