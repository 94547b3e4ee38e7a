import { MAX_COMMANDS, MAX_ROUNDS } from "../limits.ts";
import { breathe } from "../commands/pieces.ts";
import { LineEnd, overLimit, STOPPED } from "./endings.ts";
import type { Run } from "./shell-state.ts";

/** Commands between two turns of the event loop: a few milliseconds. */
const COMMANDS_PER_TURN = 200;

/** Counts a command. Others have their turn now and then, and the line ends when it is stopped. */
export async function takeTurn(run: Run): Promise<void> {
  if (++run.commands > MAX_COMMANDS) throw overLimit(`too many commands executed (>${MAX_COMMANDS})`);
  await giveWay(run, run.commands);
}

/** The same of a round of a loop, in which there may be no command. */
export async function takeRound(run: Run): Promise<void> {
  if (++run.rounds > MAX_ROUNDS) throw overLimit(`loop: too many iterations (>${MAX_ROUNDS})`);
  await giveWay(run, run.rounds);
}

async function giveWay(run: Run, count: number): Promise<void> {
  if (run.signal.aborted) throw new LineEnd(STOPPED);
  if (count % COMMANDS_PER_TURN !== 0) return;
  await breathe(run.signal).catch(() => {
    throw new LineEnd(STOPPED);
  });
}
