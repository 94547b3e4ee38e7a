import type { CommandContext, CommandOutput, ShellCommand } from "../shell-command.ts";

/** There is one process, the shell itself: a job in the background has ended by the time that the next command begins. */
const SHELL_PID = "1";

const SIGNALS = "HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM".split(" ");

const kill: ShellCommand = {
  name: "kill",
  async run(args, { env }) {
    if (args[0] === "-l" || args[0] === "-L") return { stdout: `${SIGNALS.join(" ")}\n` };
    const [first = "", ...rest] = args;
    const targets = first === "-s" || first === "-n" ? rest.slice(1) : first.startsWith("-") ? rest : args;
    const others = targets.filter((pid) => pid !== (env.get("$") ?? SHELL_PID));
    if (others.length === 0 && targets.length > 0)
      return /^-(0|s)$/.test(first)
        ? {}
        : { stderr: "kill: the shell cannot be ended like this; use exit\n", exitCode: 1 };
    const texts = others.map(
      (pid) => `bash: kill: ${pid.startsWith("%") ? `${pid}: no such job` : `(${pid}) - No such process`}\n`,
    );
    return { stderr: texts.join("") || "kill: usage: kill [-signal] pid\n", exitCode: others.length > 0 ? 1 : 2 };
  },
};

function always(name: string, output: CommandOutput): ShellCommand {
  return { name, run: async () => output };
}

/** Runs the command that its arguments end with, after its own options and their values. */
function wrapper(name: string, withValue: RegExp): ShellCommand {
  return {
    name,
    callsOthers: true,
    async run(args, { exec, stdin }: CommandContext) {
      let at = 0;
      while (at < args.length && args[at]?.startsWith("-")) at += withValue.test(args[at] ?? "") ? 2 : 1;
      if (at >= args.length) return { stderr: `${name}: missing operand\n`, exitCode: 125 };
      return exec(args.slice(at), stdin.bytes());
    },
  };
}

/** In front of just-bash's, which does not hand on what was exported. */
const timeout: ShellCommand = {
  name: "timeout",
  callsOriginal: true,
  async run(args, { exported, original }) {
    const settings = Object.entries(exported).map(([name, value]) => `${name}=${value}`);
    const at = args.findIndex(
      (arg, index) => !arg.startsWith("-") && !/^(-[ks]|--kill-after|--signal)$/.test(args[index - 1] ?? ""),
    );
    const isCall = at !== -1 && at < args.length - 1 && settings.length > 0;
    return original(isCall ? [...args.slice(0, at + 1), "env", ...settings, ...args.slice(at + 1)] : args);
  },
};

const umask: ShellCommand = {
  name: "umask",
  // New files have the permissions of the tree, whatever is asked for.
  run: async (args) =>
    args.some((arg) => !arg.startsWith("-")) ? {} : { stdout: args.includes("-S") ? "u=rwx,g=rx,o=rx\n" : "0022\n" },
};

const ulimit: ShellCommand = {
  name: "ulimit",
  run: async (args) => (args.some((arg) => !arg.startsWith("-")) ? {} : { stdout: "unlimited\n" }),
};

const ps: ShellCommand = {
  name: "ps",
  run: async () => ({ stdout: `    PID TTY          TIME CMD\n${SHELL_PID.padStart(7)} ?        00:00:00 bash\n` }),
};

/** Commands about processes and jobs, which just-bash does not have. */
export const PROCESS_COMMANDS: readonly ShellCommand[] = [
  kill,
  ps,
  timeout,
  umask,
  ulimit,
  always("jobs", {}),
  always("disown", {}),
  always("fg", { stderr: "bash: fg: no job control\n", exitCode: 1 }),
  always("bg", { stderr: "bash: bg: no job control\n", exitCode: 1 }),
  always("pgrep", { exitCode: 1 }),
  always("pkill", { exitCode: 1 }),
  always("killall", { stderr: "killall: no process found\n", exitCode: 1 }),
  wrapper("nohup", /^$/),
  wrapper("nice", /^-n$/),
  wrapper("setsid", /^$/),
  wrapper("stdbuf", /^-[ioe]$/),
];
