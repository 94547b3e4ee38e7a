import type { Executor, FileSystem } from "@tenrec/protocol";
import { hasCode } from "@tenrec/protocol";
import type { CommandResult } from "./answer.ts";

export interface ExecutorRun {
  readonly executor: Executor;
  readonly fs: FileSystem;
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly operationId: string;
  readonly onOutput?: ((stream: "stdout" | "stderr", text: string) => void) | undefined;
}

/** Bytes of one stream that are kept; a command that prints more goes on, unheard. */
const MAX_KEPT = 4 * 1024 * 1024;

/** Runs a whole command line in an executor, on the tree. Throws what the executor throws, except for its `timeout`. */
export async function runInExecutor(commandLine: string, run: ExecutorRun): Promise<CommandResult> {
  const { executor, fs, timeout, signal, operationId } = run;
  const streams = { stdout: new StreamText(), stderr: new StreamText() };
  const result = (exitCode: number, timedOut: boolean): CommandResult => ({
    stdout: streams.stdout.text,
    stderr: streams.stderr.text,
    exitCode,
    timedOut,
  });
  const hear = (stream: "stdout" | "stderr", bytes?: Uint8Array): void => {
    const text = streams[stream].add(bytes);
    if (text !== "") run.onOutput?.(stream, text);
  };
  try {
    for await (const event of executor.exec(commandLine, { fs, timeout, signal, operationId })) {
      if (event.type !== "exit") hear(event.type, event.bytes);
      else {
        hear("stdout");
        hear("stderr");
        return result(event.code, false);
      }
    }
  } catch (error) {
    if (hasCode(error, "timeout")) return result(124, true);
    throw error;
  }
  throw new Error(`${executor.name} ended without an exit code`);
}

class StreamText {
  text = "";
  readonly #decoder = new TextDecoder();

  /** Takes in bytes, or the end when there are none, and returns the text that is new. */
  add(bytes?: Uint8Array): string {
    const text = bytes ? this.#decoder.decode(bytes, { stream: true }) : this.#decoder.decode();
    if (this.text.length < MAX_KEPT) this.text += text;
    return text;
  }
}
