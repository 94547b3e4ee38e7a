import type { ShellCommand } from "../shell-command.ts";

/** In front of just-bash's `cp` and `mv`, which make a file of a folder's name that is not there: `cp a missing/`. */
function guarded(name: "cp" | "mv"): ShellCommand {
  return {
    name,
    callsOriginal: true,
    async run(args, { fs, resolve, original }) {
      const operands = args.filter((arg) => !arg.startsWith("-"));
      const last = operands.at(-1) ?? "";
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
