import type { ShellCommand } from "../shell-command.ts";

/** What a script set with `trap`. */
export interface Traps {
  readonly command: ShellCommand;
  /** What is to run at the end; undefined when nothing is. */
  readonly onExit: () => string | undefined;
}

/** Signals that nobody sends here, so that setting a trap for them is enough. */
const SIGNALS = /^(SIG)?(HUP|INT|QUIT|TERM|USR1|USR2|PIPE|ALRM|TSTP|CONT|CHLD|WINCH|\d+)$/i;

/**
 * `trap`, which just-bash does not have. `EXIT` runs when the whole script has ended, with the variables of the top level;
 * signals never come.
 */
export function createTraps(): Traps {
  const set = new Map<string, string>();
  const command: ShellCommand = {
    name: "trap",
    async run(args) {
      const given = args[0] === "--" ? args.slice(1) : args;
      if (given.length === 0 || given[0] === "-p") {
        const lines = Array.from(set, ([name, action]) => `trap -- '${action.replaceAll("'", `'\\''`)}' ${name}\n`);
        return { stdout: lines.join("") };
      }
      if (given[0] === "-l") return { stdout: "1) SIGHUP 2) SIGINT 3) SIGQUIT 9) SIGKILL 15) SIGTERM\n" };
      const [action = "-", ...names] = given.length === 1 ? ["-", ...given] : given;
      const problems: string[] = [];
      for (const name of names) {
        const event = name === "0" ? "EXIT" : name.toUpperCase();
        if (event !== "EXIT" && !SIGNALS.test(event)) {
          const isKnown = /^(ERR|DEBUG|RETURN)$/.test(event);
          problems.push(
            isKnown
              ? `bash: trap: ${event} is ignored here; test the exit code of a command instead\n`
              : `bash: trap: ${name}: invalid signal specification\n`,
          );
        } else if (action === "-") set.delete(event);
        else set.set(event, action);
      }
      return { stderr: problems.join(""), exitCode: problems.some((text) => text.includes("invalid")) ? 1 : 0 };
    },
  };
  return { command, onExit: () => set.get("EXIT") || undefined };
}
