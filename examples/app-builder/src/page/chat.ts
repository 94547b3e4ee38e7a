import type { TenrecEvent } from "@tenrec/protocol";
import { essentialArgument, outcome } from "tenrec/view";
import { line } from "./dom.ts";

/** The conversation of a session, a line for each prompt, text and call. */
export class Chat {
  readonly #log: HTMLElement;
  /** Text that is being said, by turn, step and block. */
  readonly #texts = new Map<string, HTMLElement>();
  readonly #calls = new Map<string, HTMLElement>();

  constructor(log: HTMLElement) {
    this.#log = log;
  }

  add(event: TenrecEvent): void {
    const isAtEnd = this.#log.scrollHeight - this.#log.scrollTop - this.#log.clientHeight < 40;
    this.#show(event);
    if (isAtEnd) this.#log.scrollTop = this.#log.scrollHeight;
  }

  #show(event: TenrecEvent): void {
    switch (event.type) {
      case "input": {
        const text = event.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
        return this.#log.append(line("p", "asked", text));
      }
      case "text-delta":
        this.#text(`${event.turn}/${event.step}`).textContent += event.text;
        return;
      case "step-start":
        // Its text stands before its calls. When it is made once more, what it had said so far does not count.
        this.#text(`${event.turn}/${event.step}`).textContent = "";
        return;
      case "step-end": {
        const text = event.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
        if (text !== "") this.#text(`${event.turn}/${event.step}`).textContent = text;
        return;
      }
      case "tool-call":
        return this.#call(event.toolCallId, `${event.toolName} ${essentialArgument(event)}`);
      case "tool-result": {
        const { ok, text } = outcome(event);
        const call = this.#calls.get(event.toolCallId);
        call?.classList.toggle("failed", !ok);
        call?.append(` ${ok ? "✓" : "✗"} ${text}`);
        return;
      }
      case "turn-end":
        if (event.reason !== "done") this.#log.append(line("p", "failed", event.text));
        return;
      default:
        return;
    }
  }

  #text(key: string): HTMLElement {
    const known = this.#texts.get(key);
    if (known) return known;
    const made = line("p", "said", "");
    this.#texts.set(key, made);
    this.#log.append(made);
    return made;
  }

  #call(id: string, text: string): void {
    const made = line("p", "call", text);
    this.#calls.set(id, made);
    this.#log.append(made);
  }
}
