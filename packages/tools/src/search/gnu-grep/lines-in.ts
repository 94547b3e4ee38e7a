import { CommandError } from "../command/command-error.ts";
import type { SearchShell } from "../command/search-shell.ts";

/** The lines of a file that an option names; `-` is the standard input. */
export async function linesIn(shell: SearchShell, file: string): Promise<string[]> {
  let bytes: Uint8Array;
  try {
    bytes = file === "-" ? shell.stdin.bytes() : await shell.fs.readFileBuffer(shell.resolve(file));
  } catch {
    throw new CommandError(`${file}: No such file or directory`);
  }
  const text = new TextDecoder().decode(bytes);
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
