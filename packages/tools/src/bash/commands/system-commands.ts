import type { ShellCommand } from "../shell-command.ts";

const NAMES: readonly (readonly [letter: string, name: string])[] = [
  ["s", "Linux"],
  ["n", "tenrec"],
  ["r", "6.1.0"],
  ["v", "#1"],
  ["m", "x86_64"],
  ["o", "GNU/Linux"],
];

const uname: ShellCommand = {
  name: "uname",
  async run(args) {
    const letters = args.flatMap((arg) =>
      arg.startsWith("--") ? [LONG_NAMES[arg] ?? "?"] : Array.from(arg.replace(/^-/, "")),
    );
    const wrong = letters.find((letter) => !"asnrvmopi".includes(letter));
    if (wrong !== undefined) return { stderr: `uname: invalid option -- '${wrong}'\n`, exitCode: 1 };
    const wanted = NAMES.filter(
      ([letter]) => letters.includes("a") || letters.includes(letter) || (letters.length === 0 && letter === "s"),
    );
    const shown = wanted.length > 0 ? wanted : NAMES.filter(([letter]) => letter === "m");
    return { stdout: `${shown.map(([, name]) => name).join(" ")}\n` };
  },
};

const LONG_NAMES: Readonly<Record<string, string>> = {
  "--all": "a",
  "--kernel-name": "s",
  "--nodename": "n",
  "--kernel-release": "r",
  "--machine": "m",
  "--operating-system": "o",
};

const id: ShellCommand = {
  name: "id",
  async run(args) {
    const flags = args.join("");
    if (!/[ugG]/.test(flags)) return { stdout: "uid=1000(user) gid=1000(user) groups=1000(user)\n" };
    return { stdout: flags.includes("n") ? "user\n" : "1000\n" };
  },
};

function prints(name: string, stdout: string, exitCode = 0): ShellCommand {
  return { name, run: async () => ({ stdout, exitCode }) };
}

/** Commands about the machine, which just-bash does not have. There is none, so they say what scripts can go on with. */
export const SYSTEM_COMMANDS: readonly ShellCommand[] = [
  uname,
  id,
  prints("groups", "user\n"),
  prints("nproc", "1\n"),
  prints("arch", "x86_64\n"),
  prints("hostid", "00000000\n"),
  prints("tty", "not a tty\n", 1),
  prints("sync", ""),
  {
    name: "df",
    run: async () => ({ stderr: "df: there is no disk here; `du -sh .` tells what the files take\n", exitCode: 1 }),
  },
];
