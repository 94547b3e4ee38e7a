import type { ShellCommand } from "../shell-command.ts";

/**
 * In front of just-bash's `cp` and `mv`, which make a file of a folder's name that is not there, as in `cp a missing/`, and
 * call the source missing where it is the target's folder.
 */
function guarded(name: "cp" | "mv"): ShellCommand {
  return {
    name,
    callsOriginal: true,
    async run(args, { fs, resolve, original }) {
      const operands = args.filter((arg) => !arg.startsWith("-"));
      const [first = ""] = operands;
      const last = operands.at(-1) ?? "";
      const parent = last.slice(0, last.lastIndexOf("/") + 1);
      const isPlain = operands.length === 2 && !args.some((arg) => /^-[^-]*t|^--target|(^|\/)\.git\//.test(arg));
      if (isPlain && parent !== "" && parent !== last && !(await fs.exists(resolve(parent)))) {
        const what = name === "mv" ? `move '${first}' to '${last}'` : `create regular file '${last}'`;
        if (await fs.exists(resolve(first)))
          return { stderr: `${name}: cannot ${what}: No such file or directory\n`, exitCode: 1 };
      }
      if (operands.length > 1 && last.endsWith("/") && !(await fs.exists(resolve(last)))) {
        const sources = await Promise.all(
          operands.slice(0, -1).map((path) => fs.stat(resolve(path)).catch(() => undefined)),
        );
        if (sources.some((source) => source?.isFile))
          return { stderr: `${name}: cannot create regular file '${last}': Not a directory\n`, exitCode: 1 };
      }
      return original(args);
    },
  };
}

export const COPY_COMMANDS: readonly ShellCommand[] = [guarded("cp"), guarded("mv")];
