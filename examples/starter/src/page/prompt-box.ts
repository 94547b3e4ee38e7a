import { byId } from "./dom.ts";

export interface PromptActions {
  submit(text: string): Promise<unknown>;
  stop(): Promise<unknown>;
}

export interface PromptBox {
  /** Shows the button to stop, or hides it. */
  setBusy(busy: boolean): void;
  setProblem(text: string): void;
}

/** The box to write in: Enter sends, Shift+Enter makes a new line. A prompt that was refused stays in it. */
export function connectPromptBox(actions: PromptActions): PromptBox {
  const form = byId("prompt", HTMLFormElement);
  const text = byId("prompt-text", HTMLTextAreaElement);
  const send = byId("send", HTMLButtonElement);
  const stop = byId("stop", HTMLButtonElement);
  const problem = byId("problem", HTMLElement);
  const setProblem = (message: string): void => {
    problem.textContent = message;
  };
  const report = (error: unknown): void => setProblem(error instanceof Error ? error.message : String(error));

  const submit = async (): Promise<void> => {
    const prompt = text.value;
    if (prompt.trim() === "" || send.disabled) return;
    send.disabled = true;
    setProblem("");
    try {
      await actions.submit(prompt);
      if (text.value === prompt) text.value = "";
    } catch (error) {
      report(error);
    } finally {
      send.disabled = false;
    }
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit();
  });
  text.addEventListener("keydown", (event) => {
    // While characters are composed, Enter takes the suggestion.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void submit();
  });
  stop.addEventListener("click", () => {
    stop.disabled = true;
    actions
      .stop()
      .catch(report)
      .finally(() => (stop.disabled = false));
  });

  return {
    setProblem,
    setBusy(busy) {
      // A button that goes away must not take the focus with it.
      if (!busy && document.activeElement === stop) text.focus();
      stop.hidden = !busy;
      text.placeholder = busy ? "The next prompt waits until this turn has ended." : "What should the agent do?";
    },
  };
}
