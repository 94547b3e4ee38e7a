import type { Search } from "@tenrec/protocol";
import type { CommandContext, ShellCommand } from "../bash/shell-command.ts";
import type { SearchCommandOutput, SearchShell } from "./command/search-shell.ts";
import { runGrep } from "./gnu-grep/run-grep.ts";
import { runRg } from "./rg/run-rg.ts";

type Run = (args: readonly string[], shell: SearchShell) => Promise<SearchCommandOutput>;

const COMMANDS: Readonly<Record<string, Run>> = {
  rg: (args, shell) => runRg(args, shell),
  grep: (args, shell) => runGrep(args, shell),
  egrep: (args, shell) => runGrep(args, shell, "extended"),
  fgrep: (args, shell) => runGrep(args, shell, "fixed"),
};

/** `rg` and the greps of the shell, on the search of the tree. */
export function createSearchCommands(search: Search): ShellCommand[] {
  return Object.entries(COMMANDS).map(([name, run]) => ({
    name,
    run: (args: readonly string[], context: CommandContext) => {
      const { fs, stdin, signal } = context;
      return run(args, { search, fs, stdin, signal, resolve: (path) => context.resolve(path) });
    },
  }));
}
