import type { TenrecEvent, ToolResultEvent } from "@tenrec/protocol";
import { essentialArgument, outcome } from "tenrec/view";
import { type Answer, Approval } from "./approval.ts";
import { element } from "./dom.ts";

/** The conversation of a session, a line for each prompt, text and call, and a box for each question to the person. */
export class Chat {
  readonly #log: HTMLElement;
  /** Text that is being said, by turn, step and block. */
  readonly #texts = new Map<string, HTMLElement>();
  readonly #calls = new Map<string, HTMLElement>();
  readonly #approvals = new Map<string, Approval>();
  readonly #answer: Answer;

  constructor(log: HTMLElement, answer: Answer) {
    this.#log = log;
    this.#answer = answer;
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
        return this.#log.append(element("p", "asked", text));
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
        return this.#call(event.toolCallId, event.toolName, essentialArgument(event));
      case "tool-result":
        return this.#result(event);
      case "approval-request": {
        const approval = new Approval(event, this.#answer);
        this.#approvals.set(event.approvalId, approval);
        return this.#log.append(approval.element);
      }
      case "approval-answer":
        return this.#approvals.get(event.approvalId)?.answered(event);
      case "turn-end":
        for (const approval of this.#approvals.values()) approval.close();
        if (event.reason !== "done") this.#log.append(element("p", "failed", event.text));
        return;
      default:
        return;
    }
  }

  #text(key: string): HTMLElement {
    const known = this.#texts.get(key);
    if (known) return known;
    const made = element("p", "said", "");
    this.#texts.set(key, made);
    this.#log.append(made);
    return made;
  }

  #call(id: string, name: string, about: string): void {
    const made = element("p", "call", "");
    made.append(element("span", "mark", "…"), " ", element("b", "", name), ` ${about}`);
    this.#calls.set(id, made);
    this.#log.append(made);
  }

  #result(event: ToolResultEvent): void {
    const { ok, text } = outcome(event);
    const call = this.#calls.get(event.toolCallId);
    const mark = call?.firstElementChild;
    if (!call || !mark) return;
    mark.textContent = ok ? "✓" : "✗";
    call.classList.add(ok ? "ok" : "failed");
    call.append(" ", element("span", "outcome", text));
  }
}
