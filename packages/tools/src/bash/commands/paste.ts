import type { ShellCommand } from "../shell-command.ts";

/** In front of just-bash's, which reads nothing where no file is named. */
export const paste: ShellCommand = {
  name: "paste",
  callsOriginal: true,
  run(args, { original }) {
    const hasFile = args.some((arg, at) => {
      const isValue = /^(-[sz]*d|--delimiters)$/.test(args[at - 1] ?? "");
      return (!arg.startsWith("-") || arg === "-") && !isValue;
    });
    return original(hasFile ? args : [...args, "-"]);
  },
};
