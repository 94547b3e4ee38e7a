import type { CommandOutput } from "../../shell-command.ts";

/** What `tar` has to say, and how it ends. */
export interface TarOutput {
  print(text: string | Uint8Array): void;
  /** On standard error; the same only once. */
  note(text: string): void;
  /** The same, and the command ends with 2. */
  fail(text: string): void;
  /** The last word. */
  end(): CommandOutput;
}

export function createTarOutput(): TarOutput {
  const chunks: Uint8Array[] = [];
  const notes = new Set<string>();
  let hasFailed = false;
  return {
    print: (text) => void chunks.push(typeof text === "string" ? new TextEncoder().encode(text) : text),
    note: (text) => void notes.add(`tar: ${text}\n`),
    fail(text) {
      hasFailed = true;
      notes.add(`tar: ${text}\n`);
    },
    end() {
      if (hasFailed) notes.add("tar: Exiting with failure status due to previous errors\n");
      return { stdout: joined(chunks), stderr: [...notes].join(""), exitCode: hasFailed ? 2 : 0 };
    },
  };
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
