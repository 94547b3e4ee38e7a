import type { SessionSnapshot, TenrecEvent } from "@tenrec/protocol";
import type { SessionClient } from "@tenrec/runtime/client";
import { IDLE, NOTHING_SPENT, costText, isBusy, nextRunState, runText, spend } from "tenrec/view";
import { soon } from "./soon.ts";

/** What shows a session. */
export interface SessionViews {
  event(event: TenrecEvent): void;
  /** Connection, work, model and cost, as one line. */
  status(text: string, busy: boolean): void;
  /** Files have changed, or may have. */
  filesChanged(): void;
  /** Its title or state has changed, as the list shows them. */
  listChanged(): void;
}

/** Changes that come within this time are shown together. In milliseconds. */
const SETTLE_MS = 150;
const FRAME_MS = 16;

/** Shows a session and follows it until the signal aborts. Throws when the agent refuses. */
export async function openSession(session: SessionClient, views: SessionViews, signal: AbortSignal): Promise<void> {
  let run = IDLE;
  let spent = NOTHING_SPENT;
  let connection = "connecting";
  let model = "";

  const showStatus = (): void => {
    const cost = spent.calls > 0 ? [costText(spent)] : [];
    const parts = connection === "connected" ? [runText(run), model, ...cost] : [connection];
    views.status(parts.join(" · "), isBusy(run));
  };
  // A long history is thousands of events at once.
  const statusSoon = soon(FRAME_MS, showStatus, signal);
  const filesSoon = soon(SETTLE_MS, () => views.filesChanged(), signal);
  const listSoon = soon(SETTLE_MS, () => views.listChanged(), signal);
  const onSnapshot = (snapshot: SessionSnapshot): void => {
    connection = "connected";
    model = snapshot.session.model;
    showStatus();
    filesSoon();
    listSoon();
  };
  const onDisconnect = (): void => {
    connection = "reconnecting";
    showStatus();
  };

  showStatus();
  for await (const event of session.watch({ signal, onSnapshot, onDisconnect })) {
    views.event(event);
    run = nextRunState(run, event);
    spent = spend(spent, event);
    if (event.type === "turn-start") model = event.model;
    if (event.type === "file-change" || event.type === "turn-end" || event.type === "undo") filesSoon();
    if (event.type === "turn-start" || event.type === "session-change") listSoon();
    statusSoon();
  }
}
