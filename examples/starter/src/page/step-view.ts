import type { ReasoningDelta, StepEndEvent, TextDelta } from "@tenrec/protocol";
import { type MarkedPiece, markedText } from "tenrec/view";
import type { CallView } from "./call-view.ts";
import { element } from "./dom.ts";

interface Block {
  readonly element: HTMLElement;
  readonly text: Text;
}

/** One model call: what it said, in its order, with the tool calls it asked for. */
export class StepView {
  readonly element: HTMLElement = element("div", "step");
  readonly #blocks = new Map<string, Block>();

  delta({ type, id, text }: TextDelta | ReasoningDelta): void {
    const key = `${type} ${id}`;
    const block = this.#blocks.get(key) ?? makeBlock(type === "reasoning-delta");
    if (!this.#blocks.has(key)) this.element.append(block.element);
    this.#blocks.set(key, block);
    block.text.appendData(text);
  }

  addCall(call: CallView): void {
    this.element.append(call.element);
  }

  /** The call to the model is made once more: nothing of the first attempt counts. */
  restart(): void {
    this.#blocks.clear();
    this.element.replaceChildren();
  }

  /** Replaces what was streamed by what is in the journal, which is all of it. */
  end({ content }: StepEndEvent, calls: ReadonlyMap<string, CallView>): void {
    const wasOpen = [...this.element.querySelectorAll<HTMLDetailsElement>("details.reasoning")].some(
      ({ open }) => open,
    );
    const parts = content.flatMap((part): readonly HTMLElement[] => {
      if (part.type === "tool-call")
        return [calls.get(part.toolCallId)?.element].filter((found) => found !== undefined);
      if (part.text === "") return [];
      if (part.type === "text") return [element("div", "text", ...markedText(part.text).map(markedNode))];
      const block = makeBlock(true);
      block.text.data = part.text;
      if (block.element instanceof HTMLDetailsElement) block.element.open = wasOpen;
      return [block.element];
    });
    const others = [...this.element.querySelectorAll<HTMLElement>("details.call")].filter(
      (call) => !parts.includes(call),
    );
    this.#blocks.clear();
    this.element.replaceChildren(...parts, ...others);
  }
}

function markedNode({ kind, text }: MarkedPiece): Node | string {
  switch (kind) {
    case "plain":
      return text;
    case "code":
      return element("code", "", text);
    case "bold":
    case "heading":
      return element("b", "", text);
    case "block":
      return element("pre", "", text);
  }
}

function makeBlock(isReasoning: boolean): Block {
  const text = document.createTextNode("");
  if (!isReasoning) return { element: element("div", "text", text), text };
  const details = element("details", "reasoning", element("summary", "", "Reasoning"), element("div", "", text));
  return { element: details, text };
}
