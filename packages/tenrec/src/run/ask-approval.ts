import { createInterface } from "node:readline/promises";
import type { ApprovalAnswer } from "@tenrec/protocol";

export interface AskOptions {
  readonly input: NodeJS.ReadableStream;
  readonly write: (text: string) => void;
  readonly stop: AbortSignal;
}

/** Reads a line: yes, no, or a reason, which means no. The end of the input is a no. Rejects when `stop` aborts. */
export async function askApproval({ input, write, stop }: AskOptions): Promise<ApprovalAnswer> {
  // What was typed before the question is no answer to it.
  while (input.read() !== null);
  write("Allow it? y = yes, n = no, or say why not: ");
  // Not as a terminal of its own: then Ctrl-C stays a signal.
  const lines = createInterface({ input, terminal: false });
  try {
    const ended = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
    return answerOf(await Promise.race([lines.question("", { signal: stop }), ended]));
  } finally {
    lines.close();
  }
}

function answerOf(line: string): ApprovalAnswer {
  const text = line.trim();
  if (/^y(es)?$/i.test(text)) return { approved: true };
  return text === "" || /^no?$/i.test(text) ? { approved: false } : { approved: false, reason: text };
}
