import { TenrecError } from "@tenrec/protocol";
import type { Workspace } from "./workspace.ts";

/** Resolves when no turn runs or waits and no prompt waits; `session-busy` when that is not so after `ms` milliseconds. */
export async function untilQuiet(
  { journal, clock }: Pick<Workspace, "journal" | "clock">,
  session: string,
  ms: number,
): Promise<void> {
  const isQuiet = (): boolean => !journal.state(session).turn && journal.state(session).queue.length === 0;
  const stop = new AbortController();
  const quiet = Promise.withResolvers<void>();
  const check = (): void => {
    if (isQuiet()) quiet.resolve();
  };
  const unlisten = journal.listen(check);
  check();
  try {
    await Promise.race([quiet.promise, clock.sleep(ms, stop.signal)]);
  } finally {
    unlisten();
    stop.abort();
  }
  if (!isQuiet()) throw new TenrecError("session-busy", { session });
}
