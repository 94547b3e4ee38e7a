import type { ApprovalAnswer, ApprovalAnswerEvent, ApprovalRequestEvent } from "@tenrec/protocol";
import { element } from "./dom.ts";

export type Answer = (approvalId: string, answer: ApprovalAnswer) => Promise<void>;

/** A question to the person, with two buttons. The turn waits until one is pressed. */
export class Approval {
  readonly element: HTMLElement = element("div", "approval", "");
  readonly #answer = element("p", "", "");

  constructor({ approvalId, toolName, permission, detail }: ApprovalRequestEvent, answer: Answer) {
    const problem = element("p", "failed", "");
    const button = (text: string, approved: boolean): HTMLButtonElement => {
      const made = element("button", approved ? "accent" : "", text);
      made.type = "button";
      made.addEventListener("click", () => {
        answer(approvalId, { approved }).catch((error: Error) => void (problem.textContent = error.message));
      });
      return made;
    };
    this.#answer.append(button("Approve", true), " ", button("Refuse", false));
    const title = element("p", "", `May the agent use ${toolName}? (permission to ${permission})`);
    this.element.append(title, element("pre", "", detail), this.#answer, problem);
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", "Approval");
  }

  answered({ approved, reason }: Pick<ApprovalAnswerEvent, "approved" | "reason">): void {
    this.#end(`${approved ? "Approved" : "Refused"}${reason === undefined ? "." : `: ${reason}`}`);
  }

  /** The turn has ended without an answer. */
  close(): void {
    this.#end("No longer waiting.");
  }

  #end(text: string): void {
    if (this.#answer.querySelector("button")) this.#answer.textContent = text;
  }
}
