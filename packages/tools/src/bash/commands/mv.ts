import type { CommandContext, ShellCommand } from "../shell-command.ts";

/**
 * In front of just-bash's `mv`, which makes a file of a folder's name that is not there, as in `mv a missing/`, calls the
 * source missing where it is the target's folder, and knows no `-t`.
 */
export const mv: ShellCommand = {
  name: "mv",
  callsOriginal: true,
  async run(given, { fs, resolve, original }) {
    const args = withTargetLast(given);
    const operands = args.filter((arg) => !arg.startsWith("-"));
    const [first = "", last = ""] = [operands[0], operands.at(-1)];
    if (args !== given && !(await isFolder(fs, resolve(last))))
      return { stderr: `mv: target directory '${last}': No such file or directory\n`, exitCode: 1 };
    const parent = last.slice(0, last.lastIndexOf("/") + 1);
    const isPlain = operands.length === 2 && !args.some((arg) => /(^|\/)\.git\//.test(arg));
    if (isPlain && parent !== "" && parent !== last && !(await fs.exists(resolve(parent)))) {
      if (await fs.exists(resolve(first)))
        return { stderr: `mv: cannot move '${first}' to '${last}': No such file or directory\n`, exitCode: 1 };
    }
    if (operands.length > 1 && last.endsWith("/") && !(await fs.exists(resolve(last)))) {
      const sources = await Promise.all(
        operands.slice(0, -1).map((path) => fs.stat(resolve(path)).catch(() => undefined)),
      );
      if (sources.some((source) => source?.isFile))
        return { stderr: `mv: cannot create regular file '${last}': Not a directory\n`, exitCode: 1 };
    }
    return original(args);
  },
};

async function isFolder(fs: CommandContext["fs"], path: string): Promise<boolean> {
  return (await fs.stat(path).catch(() => undefined))?.isDirectory ?? false;
}

/** `-t FOLDER`, which says first where to go. */
function withTargetLast(args: readonly string[]): readonly string[] {
  const at = args.findIndex((arg) => /^(-[^-]*t|--target-directory(=.*)?)$/s.test(arg));
  const option = args[at] ?? "";
  if (at === -1) return args;
  const [, value] = /=(.*)$/s.exec(option) ?? [];
  const target = value ?? args[at + 1] ?? "";
  const others = [...args.slice(0, at), ...args.slice(at + (value === undefined ? 2 : 1))];
  const letters = option.startsWith("--") ? "" : option.slice(1, -1);
  return [...(letters === "" ? [] : [`-${letters}`]), ...others, target.replace(/(.)\/+$/, "$1")];
}
