import type { TenrecEvent, ToolCallEvent, ToolInputDelta, ToolResultEvent, TurnEndEvent } from "@tenrec/protocol";
import { amount, essentialArgument, outcome } from "tenrec/view";
import { type Answer, Approval } from "./approval.ts";
import { element } from "./dom.ts";
import { Said } from "./said.ts";

interface Call {
  readonly element: HTMLElement;
  readonly mark: HTMLElement;
  readonly about: HTMLElement;
  readonly outcome: HTMLElement;
  /** Characters of its arguments that the model has written. */
  written: number;
}

/** The conversation of a session, a line for each prompt, text and call, and a box for each question to the person. */
export class Chat {
  readonly #log: HTMLElement;
  /** What is being said, by turn and step. */
  readonly #said = new Map<string, Said>();
  readonly #calls = new Map<string, Call>();
  readonly #approvals = new Map<string, Approval>();
  readonly #answer: Answer;

  /** Whether its end is to be seen, and stays so as it grows and as the window changes. */
  #isAtEnd = true;

  constructor(log: HTMLElement, answer: Answer) {
    this.#log = log;
    this.#answer = answer;
    log.addEventListener("scroll", () => (this.#isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40));
    new ResizeObserver(() => this.#follow()).observe(log);
  }

  add(event: TenrecEvent): void {
    this.#show(event);
    this.#follow();
  }

  #follow(): void {
    if (this.#isAtEnd) this.#log.scrollTop = this.#log.scrollHeight;
  }

  #show(event: TenrecEvent): void {
    switch (event.type) {
      case "input": {
        const text = event.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
        return this.#log.append(element("p", "asked", text));
      }
      case "step-start":
        // Its text stands before its calls. When it is made once more, what it had said so far does not count.
        return this.#saidIn(event).begin();
      case "text-delta":
        return this.#saidIn(event).add(event.text);
      case "step-end": {
        const text = event.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
        return this.#saidIn(event).end(text);
      }
      case "tool-input-delta":
        return this.#writing(event);
      case "tool-call":
        return this.#called(event);
      case "tool-result":
        return this.#result(event);
      case "approval-request": {
        const approval = new Approval(event, this.#answer);
        this.#approvals.set(event.approvalId, approval);
        return this.#log.append(approval.element);
      }
      case "approval-answer":
        return this.#approvals.get(event.approvalId)?.answered(event);
      case "undo":
        return this.#log.append(element("p", "note", "Files and conversation went back to an earlier point."));
      case "turn-end":
        return this.#end(event);
      default:
        return;
    }
  }

  /** What a turn left open is closed: of a step that was cut off there is no end, and of a call maybe no result. */
  #end({ reason, text }: TurnEndEvent): void {
    for (const approval of this.#approvals.values()) approval.close();
    for (const said of this.#said.values()) said.stop();
    for (const call of this.#calls.values()) if (call.mark.textContent === "…") call.outcome.textContent = "stopped";
    if (reason !== "done") this.#log.append(element("p", reason === "aborted" ? "note" : "failed", text));
  }

  #saidIn({ turn, step }: { readonly turn: number; readonly step: number }): Said {
    const key = `${turn}/${step}`;
    const known = this.#said.get(key);
    if (known) return known;
    const said = new Said();
    this.#said.set(key, said);
    this.#log.append(said.element);
    return said;
  }

  #writing(event: ToolInputDelta): void {
    this.#saidIn(event).stop();
    const call = this.#call(event);
    call.written += event.text.length;
    call.outcome.textContent = `writing, ${amount(call.written)} characters`;
  }

  #called(event: ToolCallEvent): void {
    this.#saidIn(event).stop();
    const call = this.#call(event);
    call.about.textContent = essentialArgument(event);
    call.outcome.textContent = "";
  }

  #call({ toolCallId, toolName }: { readonly toolCallId: string; readonly toolName: string }): Call {
    const known = this.#calls.get(toolCallId);
    if (known) return known;
    const [mark, about, result] = [
      element("span", "mark", "…"),
      element("span", "", ""),
      element("span", "outcome", ""),
    ];
    const made = element("p", "call", "");
    made.append(mark, " ", element("b", "", toolName), " ", about, " ", result);
    const call = { element: made, mark, about, outcome: result, written: 0 };
    this.#calls.set(toolCallId, call);
    this.#log.append(made);
    return call;
  }

  #result(event: ToolResultEvent): void {
    const { ok, text } = outcome(event);
    const call = this.#calls.get(event.toolCallId);
    if (!call) return;
    call.mark.textContent = ok ? "✓" : "✗";
    call.element.classList.add(ok ? "ok" : "failed");
    call.outcome.textContent = text;
  }
}
