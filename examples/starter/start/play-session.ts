import type { DurableEvent, FileDiff } from "@tenrec/protocol";
import { isDurable } from "@tenrec/protocol";
import type { SessionClient } from "@tenrec/runtime/client";

export interface PlayedSession {
  readonly events: readonly DurableEvent[];
  readonly diffs: readonly FileDiff[];
  /** Whether the turn ended with an answer. */
  readonly done: boolean;
}

export interface PlayOptions {
  readonly prompt: string;
  readonly onEvent: (event: Parameters<typeof isDurable>[0]) => void;
  readonly signal: AbortSignal;
}

/** Submits a prompt and passes on what happens until its turn ends. Throws `signal.reason` when aborted. */
export async function playSession(session: SessionClient, options: PlayOptions): Promise<PlayedSession> {
  const { prompt, onEvent, signal } = options;
  const events: DurableEvent[] = [];
  let done = false;
  await session.submit(prompt);
  for await (const event of session.watch({ signal })) {
    onEvent(event);
    if (!isDurable(event)) continue;
    events.push(event);
    if (event.type !== "turn-end") continue;
    done = event.reason === "done";
    break;
  }
  signal.throwIfAborted();
  return { events, diffs: await session.files.diff(), done };
}
