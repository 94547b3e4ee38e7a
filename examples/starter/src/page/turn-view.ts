import type { DeltaEvent, DurableEvent, TurnEndEvent } from "@tenrec/protocol";
import { costText, durationText, NOTHING_SPENT, type Spent, spend, tokensText } from "tenrec/view";
import { type Answer, ApprovalView } from "./approval-view.ts";
import { CallView } from "./call-view.ts";
import { button, element } from "./dom.ts";
import { StepView } from "./step-view.ts";

const END_TITLES: { readonly [R in Exclude<TurnEndEvent["reason"], "done">]: string } = {
  aborted: "Stopped",
  failed: "Failed",
  steps: "Too many steps",
  budget: "Over the budget",
  repetition: "Going in circles",
  recovery: "Given up",
};

/** One turn: its steps, questions and errors, and at the end what it took. */
export class TurnView {
  readonly element: HTMLElement = element("section", "turn");
  readonly #answer: Answer;
  readonly #undo: () => void;
  readonly #startedAt: number;
  readonly #steps = new Map<number, StepView>();
  readonly #calls = new Map<string, CallView>();
  readonly #approvals = new Map<string, ApprovalView>();
  #spent: Spent = NOTHING_SPENT;

  constructor(startedAt: number, answer: Answer, undo: () => void) {
    this.#startedAt = startedAt;
    this.#answer = answer;
    this.#undo = undo;
  }

  delta(event: DeltaEvent): void {
    switch (event.type) {
      case "text-delta":
      case "reasoning-delta":
        return this.#step(event.step).delta(event);
      case "tool-input-delta":
        return this.#call(event.step, event.toolCallId, event.toolName).writing(event.text);
      case "tool-output-delta":
        return this.#calls.get(event.toolCallId)?.output(event.text);
    }
  }

  add(event: DurableEvent): void {
    switch (event.type) {
      case "step-start":
        if (event.attempt > 1) this.#step(event.step).restart();
        return;
      case "tool-call":
        return this.#call(event.step, event.toolCallId, event.toolName).call(event);
      case "step-end":
        return this.#step(event.step).end(event, this.#calls);
      case "tool-result":
        return this.#call(event.step, event.toolCallId, event.toolName).result(event);
      case "escalation":
        return this.#calls.get(event.toolCallId)?.escalated(event);
      case "effect":
        return this.#calls.get(event.toolCallId)?.note(`Reached beyond the workspace: ${event.target}`);
      case "approval-request": {
        const view = new ApprovalView(event, this.#answer);
        this.#approvals.set(event.approvalId, view);
        this.#calls.get(event.toolCallId)?.waiting();
        this.element.append(view.element);
        return;
      }
      case "approval-answer":
        return this.#approvals.get(event.approvalId)?.answered(event);
      case "usage":
        this.#spent = spend(this.#spent, event);
        return;
      case "error":
        this.element.append(element("div", "error", event.error.message));
        return;
      case "turn-end":
        return this.#end(event, event.at);
      default:
        return;
    }
  }

  #end({ reason, text }: TurnEndEvent, at: number): void {
    for (const approval of this.#approvals.values()) approval.close();
    // The error that failed the turn has been shown.
    const last = this.element.lastElementChild;
    const isShown = last?.className === "error" && last.textContent === text;
    if (reason !== "done" && !isShown) {
      this.element.append(element("div", "stopped", element("h3", "", END_TITLES[reason]), element("p", "", text)));
    }
    const figures = [tokensText(this.#spent), costText(this.#spent), durationText(at - this.#startedAt)];
    const undo = button("Undo", this.#undo);
    undo.title = "Takes back this turn and all that followed, files included";
    this.element.append(element("p", "figures", ...(this.#spent.calls > 0 ? [figures.join(" · ")] : []), undo));
  }

  #step(number: number): StepView {
    const known = this.#steps.get(number);
    if (known) return known;
    const view = new StepView();
    this.#steps.set(number, view);
    this.element.append(view.element);
    return view;
  }

  #call(step: number, id: string, toolName: string): CallView {
    const known = this.#calls.get(id);
    if (known) return known;
    const view = new CallView(toolName);
    this.#calls.set(id, view);
    this.#step(step).addCall(view);
    return view;
  }
}
