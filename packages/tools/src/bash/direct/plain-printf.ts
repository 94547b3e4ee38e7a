import type { ShellCommand } from "../shell-command.ts";

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", "\\": "\\" };

/** `printf` of a format with nothing but `%s`, `%%`, and the escapes `\n`, `\t` and `\\`. */
export const plainPrintf: ShellCommand & Required<Pick<ShellCommand, "takes">> = {
  name: "printf",
  takes: ([format]) => format !== undefined && /^(?!-)(?:[^%\\]|%[s%]|\\[nt\\])*$/.test(format),
  async run([format = "", ...args]) {
    let stdout = "";
    const rest = [...args];
    const hasPlaces = /^(?:[^%]|%%)*%s/.test(format);
    // The format counts again for what is left.
    do {
      stdout += format.replace(/%([s%])|\\([nt\\])/g, (_all, place?: string, escape?: string) => {
        if (escape !== undefined) return ESCAPES[escape] ?? "";
        return place === "s" ? (rest.shift() ?? "") : "%";
      });
    } while (hasPlaces && rest.length > 0);
    return { stdout };
  },
};
