import { type MarkedPiece, markedText } from "tenrec/view";
import { element } from "./dom.ts";

const TAGS: Readonly<Record<Exclude<MarkedPiece["kind"], "plain">, "code" | "b" | "pre" | "strong">> = {
  code: "code",
  bold: "b",
  block: "pre",
  heading: "strong",
};

/** What the model says in a step, as it comes; until it does, that it thinks. */
export class Said {
  readonly element: HTMLElement = element("div", "said", "");
  #text = "";

  begin(): void {
    this.#set("");
    this.element.classList.add("waiting");
  }

  add(text: string): void {
    this.#set(this.#text + text);
  }

  /** All of it, as it is in the journal; empty for a step that only called tools. */
  end(text: string): void {
    this.#set(text === "" ? this.#text : text);
    this.stop();
  }

  /** Nothing more is waited for. */
  stop(): void {
    this.element.classList.remove("waiting");
  }

  #set(text: string): void {
    this.#text = text;
    const pieces = markedText(text);
    this.element.replaceChildren(
      ...pieces.map(({ kind, text: piece }) => (kind === "plain" ? piece : element(TAGS[kind], "", piece))),
    );
  }
}
