import { MAX_COMMANDS } from "../limits.ts";
import { breathe } from "../commands/pieces.ts";
import { LineEnd, overLimit, STOPPED } from "./endings.ts";
import type { Run } from "./shell-state.ts";

/** Commands between two turns of the event loop: a few milliseconds. */
const COMMANDS_PER_TURN = 200;

/** Counts a command, or a round of a loop. Others have their turn now and then, and the line ends when it is stopped. */
export async function takeTurn(run: Run): Promise<void> {
  if (run.signal.aborted) throw new LineEnd(STOPPED);
  if (++run.commands > MAX_COMMANDS) throw overLimit(`too many commands executed (>${MAX_COMMANDS})`);
  if (run.commands % COMMANDS_PER_TURN !== 0) return;
  await breathe(run.signal).catch(() => {
    throw new LineEnd(STOPPED);
  });
}
