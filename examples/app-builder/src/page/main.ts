import { hasCode } from "@tenrec/protocol";
import { connect, type SessionClient } from "@tenrec/runtime/client";
import { IDLE, isBusy, nextRunState, runText } from "tenrec/view";
import { Chat } from "./chat.ts";
import { byId } from "./dom.ts";
import { PreviewPane } from "./preview-pane.ts";
import { connectPrompt } from "./prompt-box.ts";

const AGENT = "/agents/builder/apps";

const status = byId("status", HTMLElement);
const problem = byId("problem", HTMLElement);
const OPEN_AGAIN = "Open the address that npm run app-builder has printed: it carries a token, and the session.";

/** Says what is wrong; undefined when nothing is any more. */
function report(error: unknown): void {
  const isOld = hasCode(error, "unauthorized") || hasCode(error, "session-not-found");
  problem.textContent = isOld ? OPEN_AGAIN : error instanceof Error ? error.message : "";
}

/** From the address, where `npm run app-builder` put it, and from then on from this tab's storage: an address is shown and copied. */
function credential(name: "token" | "session"): string {
  const given = new URLSearchParams(location.hash.slice(1)).get(name);
  if (given !== null) sessionStorage.setItem(name, given);
  const found = sessionStorage.getItem(name);
  if (found === null) throw new Error(OPEN_AGAIN);
  return found;
}

/** Follows the session until the agent refuses. */
async function follow(session: SessionClient, chat: Chat, preview: PreviewPane): Promise<void> {
  const stop = byId("stop", HTMLButtonElement);
  const show = (text: string, busy: boolean): void => {
    status.textContent = text;
    status.classList.toggle("busy", busy);
    // The button that has the focus is about to go.
    if (!busy && document.activeElement === stop) byId("prompt-text", HTMLTextAreaElement).focus();
    stop.hidden = !busy;
  };
  let run = IDLE;
  const onDisconnect = (): void => show("not connected, trying again", isBusy(run));
  const onSnapshot = (): void => show(runText(run), isBusy(run));
  for await (const event of session.watch({ onDisconnect, onSnapshot })) {
    chat.add(event);
    preview.add(event);
    run = nextRunState(run, event);
    show(runText(run), isBusy(run));
  }
}

async function main(): Promise<void> {
  const agent = connect(location.origin + AGENT, { token: credential("token") });
  const session = agent.session(credential("session"));
  history.replaceState(null, "", location.pathname);
  const chat = new Chat(byId("log", HTMLElement), (id, answer) => session.answer(id, answer));
  const preview = new PreviewPane(report);
  await preview.open(session);
  connectPrompt(session, report);
  await follow(session, chat, preview);
}

main().catch((error: unknown) => {
  status.textContent = "not connected";
  report(error);
});
