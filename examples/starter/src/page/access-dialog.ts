import { byId } from "./dom.ts";

/** Asks for the token until one is given. */
export function askToken(reason: string): Promise<string> {
  const dialog = byId("access", HTMLDialogElement);
  const form = byId("access-form", HTMLFormElement);
  const input = byId("token", HTMLInputElement);
  byId("access-reason", HTMLElement).textContent = reason;
  // Without a token there is nothing behind the dialog to go back to.
  dialog.oncancel = (event) => event.preventDefault();
  dialog.showModal();
  return new Promise((resolve) => {
    form.onsubmit = (event) => {
      event.preventDefault();
      const token = input.value.trim();
      if (token === "") return;
      input.value = "";
      dialog.close();
      resolve(token);
    };
  });
}
