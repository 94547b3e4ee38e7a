import type { FileContent, IFileSystem } from "just-bash/browser";
import { encodingOf } from "./encoding.ts";
import { problemOf } from "./problem-of.ts";

/** Of so many different messages the words are kept; a command that fails more often says the same. */
const MAX_KEPT = 1000;

const CANNOT_OPEN = /^(bash: )(.*)(: )cannot open redirect target$/gm;
/** A line that ends with the message of an error, as file systems of Node word it. */
const MESSAGE = /^(.*?: )(E[A-Z]{2,}: .*)$/gm;
/** How those of just-bash word theirs, with the path at the end. */
const OWN = /^E[A-Z]+: [a-z][^'\n]*'([^'\n]*)'(?: -> '[^'\n]*')?$/;

/**
 * Failures of the file systems in the words of the system. A workaround of just-bash, whose commands print the messages of
 * errors as they are, and whose redirections say only that they failed.
 */
export class SystemWords {
  /** Errors of the file systems: what of them reaches the end of a script was thrown at a redirection. */
  readonly thrown: WeakSet<object> = new WeakSet();
  /** By the last part of the path: what the shell says is relative to a folder that is not known any more. */
  readonly #opened = new Map<string, string>();
  readonly #thrown = new Map<string, { readonly path: string; readonly words: string }>();

  /** What a write gives. Where it fails and is made to open a file for a redirection, the reason is kept. */
  watch(path: string, content: FileContent, encoding: WriteOptions, write: Promise<void>): Promise<void> {
    return write.catch((error: unknown) => {
      if (error instanceof Error) this.thrown.add(error);
      const isOpening = content === "" && encodingOf(encoding) === "binary";
      if (isOpening) this.#opened.set(lastPart(path), problemOf(error));
      throw error;
    });
  }

  /** An error of this message is thrown for a path, as the shell knows it. */
  note(message: string, path: string, error: unknown): void {
    if (this.#thrown.size < MAX_KEPT) this.#thrown.set(message, { path, words: problemOf(error) });
  }

  /** What was printed to stderr, in these words. */
  apply(stderr: string): string {
    const opened = stderr.replace(CANNOT_OPEN, (_, bash: string, name: string, colon: string) => {
      return bash + name + colon + (this.#opened.get(lastPart(name)) ?? "Permission denied");
    });
    return opened.replace(MESSAGE, (line, head: string, message: string) => {
      const ownPath = OWN.exec(message)?.[1];
      const known = this.#thrown.get(message) ?? (ownPath === undefined ? undefined : wordsOf(message, ownPath));
      if (known === undefined) return line;
      return /['"][^'"]*['"]: $/.test(head) ? head + known.words : `${head}${known.path}: ${known.words}`;
    });
  }
}

type WriteOptions = Parameters<IFileSystem["writeFile"]>[2];

function wordsOf(message: string, path: string): { readonly path: string; readonly words: string } {
  return { path, words: problemOf(new Error(message)) };
}

function lastPart(path: string): string {
  const end = path.replace(/\/+$/, "");
  return end.slice(end.lastIndexOf("/") + 1);
}
