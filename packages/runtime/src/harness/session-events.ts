import type { DurableEvent, OperationStatus as OurStatus, TenrecEvent } from "@tenrec/protocol";
import { isDurable } from "@tenrec/protocol";
import type { OperationStatus, ResponseChunk, SessionEvent, TranscriptMessage } from "agents/experimental/channels";
import { answerId } from "./transcript.ts";

/** Our status in the harness's words; a parked turn is `placed` there, and its question is a chunk. */
export function toStatus(status: OurStatus): OperationStatus {
  const { operationId } = status;
  switch (status.status) {
    case "queued":
      return { operationId, status: "queued" };
    case "running":
    case "waiting":
      return { operationId, status: "placed" };
    case "done":
      return { operationId, status: "done", text: status.text };
    case "stopped":
      return { operationId, status: "unanswered", reason: status.message };
  }
}

type Input = Extract<ResponseChunk, { type: "tool-input-available" }>["input"];

/** Turns our events into the harness's, in order. Keeps which text blocks are open, so that each begins and ends once. */
export class SessionEventMapper {
  readonly #open = new Map<string, "text" | "reasoning">();
  readonly #transcript: () => TranscriptMessage[];
  readonly #status: (operationId: string) => OurStatus | undefined;
  #operations: readonly string[] = [];

  /** `operations` are those of the turn that runs already. */
  constructor(
    transcript: () => TranscriptMessage[],
    status: (operationId: string) => OurStatus | undefined,
    operations: readonly string[],
  ) {
    this.#transcript = transcript;
    this.#status = status;
    this.#operations = operations;
  }

  map(event: TenrecEvent): SessionEvent[] {
    return isDurable(event) ? this.#durable(event) : this.#delta(event).map((chunk) => ({ type: "chunk", chunk }));
  }

  #delta(event: Exclude<TenrecEvent, DurableEvent>): ResponseChunk[] {
    if (event.type !== "text-delta" && event.type !== "reasoning-delta") return [];
    const kind = event.type === "text-delta" ? "text" : "reasoning";
    const id = `${event.step}-${event.id}`;
    const begin: ResponseChunk[] = this.#open.has(id) ? [] : [{ type: `${kind}-start`, id }];
    this.#open.set(id, kind);
    return [...begin, { type: `${kind}-delta`, id, delta: event.text }];
  }

  #close(): ResponseChunk[] {
    const ends = [...this.#open].map(([id, kind]): ResponseChunk => ({ type: `${kind}-end`, id }));
    this.#open.clear();
    return ends;
  }

  #chunks(event: DurableEvent): ResponseChunk[] {
    switch (event.type) {
      case "step-start":
      case "step-end":
        return this.#close();
      case "tool-call": {
        const { toolCallId, toolName } = event;
        return [{ type: "tool-input-available", toolCallId, toolName, input: event.input as Input }];
      }
      case "approval-request":
        return [{ type: "tool-approval-request", toolCallId: event.toolCallId, approvalId: event.approvalId }];
      case "tool-result": {
        const { toolCallId, output } = event;
        if (event.status === "ok") return [{ type: "tool-output-available", toolCallId, output: output.text }];
        if (event.status === "denied") return [{ type: "tool-output-denied", toolCallId }];
        return [{ type: "tool-output-error", toolCallId, errorText: output.text }];
      }
      default:
        return [];
    }
  }

  #durable(event: DurableEvent): SessionEvent[] {
    switch (event.type) {
      case "input":
        // A prompt that steers joins the run.
        if (this.#status(event.operationId)?.status !== "queued") {
          this.#operations = [...this.#operations, event.operationId];
        }
        return [...this.#message(event.operationId), ...this.#statuses([event.operationId])];
      case "turn-start":
        this.#operations = event.operationIds;
        return [{ type: "run-start", operations: event.operationIds }, ...this.#statuses(event.operationIds)];
      case "turn-end":
        return [
          ...this.#close().map((chunk): SessionEvent => ({ type: "chunk", chunk })),
          ...this.#message(answerId(event.turn)),
          ...this.#statuses(this.#operations),
          ...this.#endRun(),
        ];
      case "undo":
        return [
          ...this.#close().map((chunk): SessionEvent => ({ type: "chunk", chunk })),
          ...this.#statuses(this.#operations),
          ...this.#endRun(),
          // There are no words for taking back: the transcript begins anew with what is left of it.
          { type: "reset" },
          ...this.#transcript().map((message): SessionEvent => ({ type: "message", message })),
        ];
      case "reset":
        return [{ type: "reset" }];
      default:
        return this.#chunks(event).map((chunk) => ({ type: "chunk", chunk }));
    }
  }

  /** Once for each run. */
  #endRun(): SessionEvent[] {
    const operations = this.#operations;
    this.#operations = [];
    return operations.length > 0 ? [{ type: "run-end", operations }] : [];
  }

  #message(id: string): SessionEvent[] {
    const message = this.#transcript().find((m) => m.id === id);
    return message ? [{ type: "message", message }] : [];
  }

  #statuses(ids: readonly string[]): SessionEvent[] {
    return ids.flatMap((id) => {
      const status = this.#status(id);
      return status ? [{ type: "operation", status: toStatus(status) }] : [];
    });
  }
}
