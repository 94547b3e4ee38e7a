import { connect, type SessionClient } from "@tenrec/runtime/client";
import { IDLE, isBusy, nextRunState, runText } from "tenrec/view";
import { Chat } from "./chat.ts";
import { byId } from "./dom.ts";
import { PreviewPane } from "./preview-pane.ts";

const AGENT = "/agents/builder/apps";

const status = byId("status", HTMLElement);
const problem = byId("problem", HTMLElement);
const report = (error: unknown): void =>
  void (problem.textContent = error instanceof Error ? error.message : String(error));

/** From the address, where `npm run app-builder` put it, and from then on from this tab's storage: an address is shown and copied. */
function credential(name: "token" | "session"): string {
  const given = new URLSearchParams(location.hash.slice(1)).get(name);
  if (given !== null) sessionStorage.setItem(name, given);
  const found = sessionStorage.getItem(name);
  if (found === null) throw new Error("Open the address that npm run app-builder has printed: it carries the token.");
  return found;
}

function connectPrompt(session: SessionClient): void {
  const form = byId("prompt", HTMLFormElement);
  const text = byId("prompt-text", HTMLTextAreaElement);
  const submit = async (): Promise<void> => {
    const prompt = text.value;
    if (prompt.trim() === "") return;
    problem.textContent = "";
    await session.submit(prompt);
    if (text.value === prompt) text.value = "";
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit().catch(report);
  });
  text.addEventListener("keydown", (event) => {
    // While characters are composed, Enter takes the suggestion.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit().catch(report);
  });
  byId("stop", HTMLButtonElement).addEventListener("click", () => void session.abort().catch(report));
}

async function main(): Promise<void> {
  const agent = connect(location.origin + AGENT, { token: credential("token") });
  const session = agent.session(credential("session"));
  history.replaceState(null, "", location.pathname);
  const chat = new Chat(byId("log", HTMLElement), (id, answer) => session.answer(id, answer));
  const preview = new PreviewPane();
  await preview.open(session);
  connectPrompt(session);
  let run = IDLE;
  for await (const event of session.watch({ onDisconnect: () => void (status.textContent = "reconnecting") })) {
    chat.add(event);
    preview.add(event);
    run = nextRunState(run, event);
    status.textContent = runText(run);
    byId("stop", HTMLButtonElement).hidden = !isBusy(run);
  }
}

main().catch(report);
