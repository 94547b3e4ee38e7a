import type { ShellCommand } from "../shell-command.ts";
import { problemOf } from "../problem-of.ts";
import { defineCommand } from "./define-command.ts";

/** In place of just-bash's, which knows no modes, and tells of the last folder only. */
export const mkdir: ShellCommand = defineCommand(
  "mkdir",
  { short: "pvm:", long: { parents: "p", verbose: "v", "mode=": "m" } },
  async (options, { fs, resolve }) => {
    const given = options.value("m");
    if (given !== undefined && !/^[0-7]{1,4}$/.test(given))
      return { stderr: `mkdir: give the mode in digits, such as 755, not '${given}'\n`, exitCode: 1 };
    if (options.operands.length === 0) return { stderr: "mkdir: missing operand\n", exitCode: 1 };
    let stdout = "";
    let stderr = "";
    for (const name of options.operands) {
      try {
        for (const path of options.has("p") ? await missingFolders(name, (each) => fs.exists(resolve(each))) : [name]) {
          await fs.mkdir(resolve(path));
          if (options.has("v")) stdout += `mkdir: created directory '${path}'\n`;
          if (given !== undefined && path === name) await fs.chmod(resolve(path), Number.parseInt(given, 8) & 0o777);
        }
        const isFile = options.has("p") && !(await fs.stat(resolve(name))).isDirectory;
        if (isFile) stderr += `mkdir: cannot create directory '${name}': File exists\n`;
      } catch (error) {
        stderr += `mkdir: cannot create directory '${name}': ${problemOf(error)}\n`;
      }
    }
    return { stdout, stderr, exitCode: stderr ? 1 : 0 };
  },
);

/** A path and those above it that are not there, the highest first. */
async function missingFolders(name: string, exists: (path: string) => Promise<boolean>): Promise<string[]> {
  const missing: string[] = [];
  for (let path = name.replace(/(.)\/+$/, "$1"); path !== "" && !(await exists(path));) {
    missing.unshift(path);
    const slash = path.lastIndexOf("/");
    path = slash === -1 ? "" : path.slice(0, slash);
  }
  if (missing.length > 0) missing[missing.length - 1] = name;
  return missing;
}
