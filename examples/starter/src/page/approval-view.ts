import type { ApprovalAnswer, ApprovalAnswerEvent, ApprovalRequestEvent, Json } from "@tenrec/protocol";
import { argumentText } from "tenrec/view";
import { button, element } from "./dom.ts";

export type Answer = (approvalId: string, answer: ApprovalAnswer) => Promise<void>;

/** A question to the person: what is wanted, a reason to give, and two buttons. */
export class ApprovalView {
  readonly element: HTMLElement;
  readonly #answer = element("div", "answer");
  readonly #problem = element("p", "problem");

  constructor(request: ApprovalRequestEvent, answer: Answer) {
    const reason = element("input", "");
    reason.type = "text";
    reason.placeholder = "Reason, told to the model when refused";
    reason.setAttribute("aria-label", "Reason");
    const send = (approved: boolean): void => {
      const text = reason.value.trim();
      this.#setBusy(true);
      answer(request.approvalId, { approved, ...(text === "" ? {} : { reason: text }) }).catch((error: Error) => {
        this.#problem.textContent = error.message;
        this.#setBusy(false);
      });
    };
    const approve = button("Approve", () => send(true));
    approve.className = "approve";
    this.#answer.append(
      reason,
      approve,
      button("Refuse", () => send(false)),
    );
    const title = element("h3", "", `May the agent use ${request.toolName}? (permission to ${request.permission})`);
    this.element = element("div", "approval", title, element("pre", "", wanted(request)), this.#answer, this.#problem);
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", "Approval");
  }

  answered({ approved, reason, by }: ApprovalAnswerEvent): void {
    const who = by === "person" ? "" : by === "expiry" ? " (nobody answered in time)" : " (the turn was stopped)";
    const text = `${approved ? "Approved" : "Refused"}${who}${reason ? `: ${reason}` : "."}`;
    this.element.classList.add("answered");
    this.#answer.replaceChildren(text);
    this.#problem.textContent = "";
  }

  /** The turn has ended without an answer. */
  close(): void {
    if (!this.element.classList.contains("answered")) this.#answer.replaceChildren("No longer waiting.");
    this.element.classList.add("answered");
  }

  #setBusy(busy: boolean): void {
    for (const part of this.#answer.querySelectorAll<HTMLButtonElement>("button")) part.disabled = busy;
  }
}

/** What is asked for; where that is a call with its arguments as JSON, those as a person reads them. */
function wanted({ toolName, detail }: ApprovalRequestEvent): string {
  if (!detail.startsWith(`${toolName}: {`)) return detail;
  try {
    return argumentText(JSON.parse(detail.slice(toolName.length + 2)) as Json);
  } catch {
    // A long one was cut.
    return detail;
  }
}
