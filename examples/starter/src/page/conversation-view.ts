import type { DurableEvent, InputPart, SessionPoint, TenrecEvent } from "@tenrec/protocol";
import { isDurable } from "@tenrec/protocol";
import { liveEvents } from "@tenrec/runtime/client";
import type { Answer } from "./approval-view.ts";
import { button, element } from "./dom.ts";
import { TurnView } from "./turn-view.ts";

/** How much of a frame may go into new events. In milliseconds. */
const FRAME_MS = 8;
/** Scrolled closer to the end than this, the view follows what is added. In pixels. */
const NEAR_END = 80;

/** The conversation. Events wait for the next frame and are shown a few milliseconds' worth at a time. */
export class ConversationView {
  readonly #root: HTMLElement;
  readonly #answer: Answer;
  readonly #undo: (to: SessionPoint) => void;
  readonly #turns = new Map<number, TurnView>();
  /** All that came: what an undo leaves of it is shown anew. */
  #events: DurableEvent[] = [];
  #waiting: TenrecEvent[] = [];
  #scheduled = false;
  #running = false;
  /** False once a person has scrolled up to read. */
  #follows = true;

  constructor(root: HTMLElement, answer: Answer, undo: (to: SessionPoint) => void) {
    this.#root = root;
    this.#answer = answer;
    this.#undo = undo;
    root.addEventListener("scroll", () => {
      this.#follows = root.scrollHeight - root.scrollTop - root.clientHeight < NEAR_END;
    });
  }

  clear(): void {
    this.#follows = true;
    this.#events = [];
    this.#empty();
  }

  #empty(): void {
    this.#waiting = [];
    this.#turns.clear();
    this.#running = false;
    this.#root.replaceChildren();
  }

  /** Goes to the end, and stays there while more comes. */
  follow(): void {
    this.#follows = true;
    this.#schedule();
  }

  add(event: TenrecEvent): void {
    if (isDurable(event)) this.#events.push(event);
    if (event.type === "undo") {
      this.#empty();
      this.#waiting.push(...liveEvents(this.#events));
    } else {
      this.#waiting.push(event);
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    const start = performance.now();
    let shown = 0;
    while (shown < this.#waiting.length && performance.now() - start < FRAME_MS) {
      const event = this.#waiting[shown];
      shown += 1;
      if (event) this.#show(event);
    }
    this.#waiting = this.#waiting.slice(shown);
    if (this.#waiting.length > 0) return this.#schedule();
    // Once all is shown: the browser has to lay out the page to know its height.
    if (this.#follows) this.#root.scrollTop = this.#root.scrollHeight;
  }

  #show(event: TenrecEvent): void {
    if (!isDurable(event)) return this.#turns.get(event.turn)?.delta(event);
    switch (event.type) {
      case "turn-start": {
        const { turn } = event;
        const view = new TurnView(event.at, this.#answer, () => this.#undo({ turn }));
        this.#turns.set(event.turn, view);
        this.#running = true;
        this.#root.append(view.element);
        return;
      }
      case "input":
        return this.#prompt(event.parts, event.whenBusy === "steer");
      case "reset":
        return this.#note("The conversation starts anew; the files stay.");
      case "undo": {
        this.#running = false;
        const redo = button("Redo", () => this.#undo({ seq: event.seq - 1 }));
        this.#root.append(element("p", "note", "What came next was taken back, files included. ", redo));
        return;
      }
      case "compaction":
        return this.#note("Earlier messages were summarised for the model.");
      default:
        return this.#inTurn(event);
    }
  }

  #inTurn(event: DurableEvent): void {
    if (event.type === "turn-end") this.#running = false;
    if ("turn" in event && event.turn !== undefined) this.#turns.get(event.turn)?.add(event);
    else if (event.type === "error") this.#root.append(element("div", "error", event.error.message));
  }

  #prompt(parts: readonly InputPart[], joins: boolean): void {
    const text = parts
      .map((part) => (part.type === "text" ? part.text : `[${part.filename ?? part.mediaType}]`))
      .join("\n");
    const prompt = element("div", "prompt", text);
    const turn = joins && this.#running ? [...this.#turns.values()].at(-1) : undefined;
    (turn?.element ?? this.#root).append(prompt);
  }

  #note(text: string): void {
    this.#root.append(element("p", "note", text));
  }
}
