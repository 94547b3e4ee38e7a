import type { EscalationEvent, ToolCallEvent, ToolResultEvent } from "@tenrec/protocol";
import { amount, argumentText, durationText, essentialArgument, outcome } from "tenrec/view";
import { element } from "./dom.ts";

/** Longest text that is put on the page; browsers lay out more only slowly. */
const SHOWN_CHARS = 100_000;

/** A tool call: one line, that opens to show arguments and output. What is inside is made when it is first opened. */
export class CallView {
  readonly element: HTMLDetailsElement = element("details", "call");
  readonly #mark = element("span", "mark", "…");
  readonly #name = element("b", "");
  readonly #about = element("code", "");
  readonly #outcome = element("span", "outcome");
  #written = 0;
  #streamed = "";
  #call: ToolCallEvent | undefined;
  #result: ToolResultEvent | undefined;
  #notes: string[] = [];

  constructor(toolName: string) {
    this.#name.textContent = toolName;
    this.element.append(element("summary", "", this.#mark, this.#name, this.#about, this.#outcome));
    this.element.addEventListener("toggle", () => this.#render());
  }

  /** The model writes the arguments. */
  writing(text: string): void {
    this.#written += text.length;
    this.#outcome.textContent = `writing, ${amount(this.#written)} characters`;
  }

  call(call: ToolCallEvent): void {
    this.#call = call;
    this.#about.textContent = essentialArgument(call);
    this.#outcome.textContent = "running";
    this.#render();
  }

  /** A person is asked first. */
  waiting(): void {
    this.#outcome.textContent = "waits for approval";
  }

  output(text: string): void {
    this.#streamed += text;
    this.#render();
  }

  note(text: string): void {
    this.#notes.push(text);
    this.#render();
  }

  escalated({ executor, reason, durationMs }: EscalationEvent): void {
    this.note(`Ran in ${executor} for ${durationText(durationMs)}: ${reason}`);
  }

  result(result: ToolResultEvent): void {
    this.#result = result;
    const { ok, text } = outcome(result);
    this.element.classList.toggle("failed", !ok);
    this.element.classList.toggle("ok", ok);
    this.#mark.textContent = ok ? "✓" : "✗";
    this.#outcome.textContent = result.durationMs >= 100 ? `${text}, ${durationText(result.durationMs)}` : text;
    this.#render();
  }

  #render(): void {
    if (!this.element.open) return;
    const body = element("div", "call-body");
    if (this.#call)
      body.append(element("h3", "", "Arguments"), element("pre", "", clip(argumentText(this.#call.input))));
    if (this.#notes.length > 0) body.append(element("p", "", this.#notes.join("\n")));
    const output = this.#result?.output.text ?? this.#streamed;
    if (output !== "") body.append(element("h3", "", "Output"), element("pre", "", clip(output)));
    this.element.querySelector(".call-body")?.remove();
    this.element.append(body);
  }
}

function clip(text: string): string {
  return text.length <= SHOWN_CHARS
    ? text
    : `${text.slice(0, SHOWN_CHARS)}\n[${amount(text.length - SHOWN_CHARS)} more]`;
}
