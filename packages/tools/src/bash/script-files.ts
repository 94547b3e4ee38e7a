import { literalWord, plainText, type SimpleCommand, type WordPart } from "./syntax-nodes.ts";

/** The command that runs a file; see `commands/script-file.ts`. */
export const RUN_FILE = "__run_file";

/** Where the shell's own commands are. */
const COMMAND_PATH = /^(\/usr(\/local)?)?\/bin\//;

/**
 * A workaround of just-bash, which runs each file that is called by its path as a script of bash, whatever its first line
 * says, and without its name in `BASH_SOURCE`.
 */
export function mendScriptFile(command: SimpleCommand): void {
  const { name } = command;
  if (!name?.parts.some(hasSlash) || COMMAND_PATH.test(plainText(name) ?? "")) return;
  command.args.unshift(name);
  command.name = literalWord(RUN_FILE);
}

function hasSlash(part: WordPart): boolean {
  if (part.type === "DoubleQuoted") return part.parts.some(hasSlash);
  return "value" in part && part.value.includes("/");
}
