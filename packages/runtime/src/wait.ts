import type { OperationStatus } from "@tenrec/protocol";
import type { Sessions } from "./sessions.ts";
import type { Workspace } from "./workspace.ts";

/** True when nothing more will happen by itself. */
function isSettled(status: OperationStatus): boolean {
  return status.status === "done" || status.status === "stopped";
}

/**
 * Resolves with the operation's status once it is settled or waits for an approval, or as it is after `timeoutMs`.
 * Throws `operation-not-found`, `session-not-found` once the session is deleted, and the signal's reason when aborted.
 */
export async function waitFor(
  { journal, clock }: Workspace,
  sessions: Sessions,
  session: string,
  operationId: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<OperationStatus> {
  const over = (status: OperationStatus): boolean => isSettled(status) || status.status === "waiting";
  const now = sessions.status(session, operationId);
  if (over(now)) return now;
  const stop = new AbortController();
  const ended = signal ? AbortSignal.any([stop.signal, signal]) : stop.signal;
  const settled = new Promise<void>((resolve) => {
    const unlisten = journal.listen((events) => {
      if (events.some((e) => e.session === session) && over(sessions.status(session, operationId))) resolve();
    });
    const unlistenRemoval = journal.listenRemoval((removed) => {
      if (removed === session) resolve();
    });
    ended.addEventListener("abort", () => (unlisten(), unlistenRemoval()), { once: true });
  });
  try {
    await Promise.race([settled, clock.sleep(timeoutMs, ended)]);
  } finally {
    stop.abort();
  }
  return sessions.status(session, operationId);
}
