import type { SessionClient } from "@tenrec/runtime/client";
import { byId } from "./dom.ts";

/** Narrower, the keyboard of a phone would cover the page at once. */
const WIDE = "(min-width: 801px)";

/** Sends what a person writes. `report` is told what went wrong, and undefined once nothing is. */
export function connectPrompt(session: SessionClient, report: (error: unknown) => void): void {
  const text = byId("prompt-text", HTMLTextAreaElement);
  const send = byId("send", HTMLButtonElement);
  // The same prompt once more, after an answer that did not arrive, is not a second one.
  let last = { prompt: "", operationId: "" };
  const submit = async (): Promise<void> => {
    const prompt = text.value;
    if (prompt.trim() === "" || send.disabled) return;
    if (last.prompt !== prompt) last = { prompt, operationId: crypto.randomUUID() };
    send.disabled = true;
    try {
      await session.submit(prompt, { operationId: last.operationId });
      last = { prompt: "", operationId: "" };
      report(undefined);
      if (text.value === prompt) text.value = "";
    } catch (error) {
      report(error);
    } finally {
      send.disabled = false;
    }
  };
  byId("prompt", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    void submit();
  });
  text.addEventListener("keydown", (event) => {
    // While characters are composed, Enter takes the suggestion.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void submit();
  });
  const stop = byId("stop", HTMLButtonElement);
  stop.addEventListener("click", () => void session.abort().catch(report));
  for (const part of [text, send]) part.disabled = false;
  if (matchMedia(WIDE).matches) text.focus();
}
