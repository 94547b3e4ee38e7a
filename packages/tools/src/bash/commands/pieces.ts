/** About what a command does in a few milliseconds. */
const PIECE = 128 * 1024;

/**
 * The text in pieces, each of whole lines unless one is longer. Before every piece but the first the event loop has its
 * turn; throws the signal's reason then, if it is aborted.
 */
export async function* piecesOf(text: string, signal: AbortSignal, end = "\n"): AsyncGenerator<string> {
  for (let at = 0; at < text.length;) {
    if (at > 0) await breathe(signal);
    const found = text.indexOf(end, at + PIECE);
    const next = found === -1 ? text.length : found + 1;
    yield text.slice(at, next);
    at = next;
  }
}

/** Lets timers and an abort come through; throws the signal's reason when it is aborted. */
export async function breathe(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  signal.throwIfAborted();
}

/** The lines of a text, without their ends. */
export function linesOf(text: string, end = "\n"): string[] {
  const lines = text.split(end);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
