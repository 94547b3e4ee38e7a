import type { StepEndEvent, TenrecEvent, ToolCallEvent, TurnEndEvent } from "@tenrec/protocol";
import { oneLine } from "../view/one-line.ts";
import { callLine, clip } from "./call-line.ts";
import type { Paint } from "./paint.ts";
import { visible } from "./visible.ts";
import { type WrapStream, wrapStream } from "./wrap-stream.ts";

export interface PrinterOptions {
  readonly write: (text: string) => void;
  readonly paint: Paint;
  readonly width: number;
  /** Printed below a question that waits for an approval: where it can be answered, and seen whole. */
  readonly hint?: string;
}

type Kind = "text" | "reasoning";

/** Prints a session's events as they come: text while it streams, one line for each tool call when it has its result. */
export class SessionPrinter {
  readonly #options: PrinterOptions;
  readonly #calls = new Map<string, ToolCallEvent>();
  readonly #streams: Record<Kind, WrapStream>;
  /** What of the step that streams was printed, to know what its end adds. */
  #printed: Record<Kind, string> = { text: "", reasoning: "" };
  #open: Kind | undefined;
  #last: "text" | "line" | undefined;

  constructor(options: PrinterOptions) {
    this.#options = options;
    const { write, paint, width } = options;
    this.#streams = {
      text: wrapStream(write, width),
      reasoning: wrapStream((text) => write(text.trim() === "" ? text : paint("dim", text)), width, "  "),
    };
  }

  add(event: TenrecEvent): void {
    switch (event.type) {
      case "text-delta":
        return this.#stream("text", event.text);
      case "reasoning-delta":
        return this.#stream("reasoning", event.text);
      case "step-start":
        this.#closeText();
        this.#printed = { text: "", reasoning: "" };
        if (event.attempt > 1) this.#line(this.#options.paint("yellow", `Trying again (call ${event.attempt}).`));
        return;
      case "tool-call":
        this.#calls.set(event.toolCallId, event);
        return;
      case "step-end":
        return this.#endStep(event);
      case "tool-result": {
        const call = this.#calls.get(event.toolCallId);
        if (call) this.#line(callLine(call, event, this.#options.width, this.#options.paint));
        return;
      }
      case "approval-request":
        this.#line(this.#options.paint("yellow", `Waits for your approval (${event.permission}):`));
        return this.#question(event.detail);
      case "approval-answer":
        return this.#line(event.approved ? "Approved." : `Refused${event.reason ? `: ${oneLine(event.reason)}` : "."}`);
      case "error":
        return this.#line(this.#options.paint("red", visible(event.error.message)));
      case "turn-end":
        return this.#endTurn(event);
      default:
        return;
    }
  }

  #stream(kind: Kind, text: string): void {
    if (this.#open !== kind) {
      this.#closeText();
      if (this.#last !== undefined) this.#options.write("\n");
      this.#open = kind;
      this.#last = "text";
    }
    this.#printed[kind] += text;
    this.#streams[kind].add(visible(text));
  }

  /** What a lost connection kept from streaming is printed now. */
  #endStep({ content }: StepEndEvent): void {
    for (const kind of ["reasoning", "text"] as const) {
      const whole = content.flatMap((part) => (part.type === kind ? [part.text] : [])).join("");
      const printed = this.#printed[kind];
      if (whole.length > printed.length && whole.startsWith(printed)) this.#stream(kind, whole.slice(printed.length));
    }
    this.#closeText();
  }

  #endTurn({ reason, text }: TurnEndEvent): void {
    this.#closeText();
    if (reason !== "done" && reason !== "failed") this.#line(this.#options.paint("yellow", visible(text)));
  }

  /** Whole, where it is to be answered here. */
  #question(detail: string): void {
    const { hint, width } = this.#options;
    if (hint === undefined) return this.#line(visible(detail).replace(/^/gm, "  "));
    this.#line(`  ${clip(oneLine(detail), width - 2)}`);
    this.#line(hint);
  }

  #closeText(): void {
    if (this.#open) this.#streams[this.#open].end();
    this.#open = undefined;
  }

  #line(text: string): void {
    this.#closeText();
    if (this.#last === "text") this.#options.write("\n");
    this.#last = "line";
    this.#options.write(`${text}\n`);
  }
}
