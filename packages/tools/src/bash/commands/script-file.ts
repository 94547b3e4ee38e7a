import { HEAVY_COMMANDS } from "../heavy-commands.ts";
import { problemOf } from "../problem-of.ts";
import { RUN_FILE } from "../script-files.ts";
import type { CommandContext, ShellCommand } from "../shell-command.ts";

/** A file that is called by its path: run by what its first line names, by this shell if it names none. */
export const scriptFile: ShellCommand = {
  name: RUN_FILE,
  callsOthers: true,
  async run([path = "", ...args], context) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (/^(\/usr(\/local)?)?\/bin\/[^/]+$/.test(path)) return context.exec([name, ...args], context.stdin.bytes());
    const found = await interpreterOf(path, context);
    // What a package brought along, such as `node_modules/.bin/tsc`: it needs what its name needs.
    if (found.code === 127 && HEAVY_COMMANDS.has(name)) return context.exec([name, ...args]);
    if (found.problem !== undefined) return { stderr: `bash: ${path}: ${found.problem}\n`, exitCode: found.code };
    return context.exec([...found.words, path, ...args], context.stdin.bytes());
  },
};

type Interpreter =
  | { readonly words: readonly string[]; readonly problem?: undefined; readonly code: 0 }
  | { readonly problem: string; readonly code: 126 | 127 };

async function interpreterOf(path: string, { fs, resolve }: CommandContext): Promise<Interpreter> {
  try {
    const { mode, isDirectory } = await fs.stat(resolve(path));
    if (isDirectory) return { problem: "Is a directory", code: 126 };
    if ((mode & 0o111) === 0) return { problem: "Permission denied", code: 126 };
    const begin = (await fs.readFileBuffer(resolve(path))).subarray(0, 256);
    if (begin.includes(0)) return { problem: "cannot execute binary file: Exec format error", code: 126 };
    return { words: wordsOf(new TextDecoder().decode(begin)), code: 0 };
  } catch (error) {
    const problem = problemOf(error);
    return { problem, code: problem === "No such file or directory" ? 127 : 126 };
  }
}

/** What a first line such as `#!/usr/bin/env -S node --test` runs a file with. */
function wordsOf(text: string): string[] {
  const [, first = "", rest = ""] = /^#![ \t]*(\S+)[ \t]*(.*)/.exec(text) ?? [];
  const name = first.slice(first.lastIndexOf("/") + 1);
  if (name === "" || /^(dash|ash|ksh|zsh)$/.test(name)) return ["sh"];
  if (name !== "env") return [name, ...(rest.trim() === "" ? [] : [rest.trim()])];
  const words = rest.replace(/^(-S|--split-string=?)\s*/, "").split(/\s+/);
  return words.filter((word) => word !== "");
}
