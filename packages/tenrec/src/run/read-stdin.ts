import { fstatSync } from "node:fs";
import type { ReadStream } from "node:tty";
import { text } from "node:stream/consumers";

/** After so long without input it is said what is being waited for. In milliseconds. */
const HINT_MS = 3000;

/** All of standard input, where it is a pipe or a file; undefined where it is a terminal or nothing. */
export async function readStdin(
  stdin: ReadStream & { readonly fd: number },
  warn: (text: string) => void,
): Promise<string | undefined> {
  if (stdin.isTTY || !hasContent(stdin.fd)) return undefined;
  const hint = setTimeout(() => warn("Waiting for the end of standard input. To go without: < /dev/null"), HINT_MS);
  try {
    return await text(stdin);
  } finally {
    clearTimeout(hint);
  }
}

function hasContent(fd: number): boolean {
  try {
    const stat = fstatSync(fd);
    return stat.isFIFO() || stat.isFile() || stat.isSocket();
  } catch {
    // It is closed.
    return false;
  }
}
