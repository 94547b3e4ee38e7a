import type { DurableEvent, InputPart, StepEndEvent, ToolCallEvent, ToolResultEvent } from "@tenrec/protocol";
import type { ModelMessage } from "ai";
import { NATIVE_ENGINE } from "./native-engine.ts";
import { callOf, type MessageOptions, stepMessages, userMessage } from "./render-messages.ts";

/** A place in the conversation, and what stands there; made anew when what it depends on has changed. */
interface Entry {
  readonly render: () => ModelMessage[];
  shown: readonly ModelMessage[] | undefined;
}

/** What has become of a turn, and the prompts that were shown in it. */
interface TurnOutcome {
  ended: boolean;
  /** The model said something in it. */
  answered: boolean;
  readonly prompts: Entry[];
}

/**
 * Folds events that count into messages, one at a time: each costs what it changes, not what there is already. An undo that
 * takes back events that were added before cannot be added: then the fold begins anew, without them.
 */
export class MessageFold {
  readonly #options: MessageOptions;
  readonly #calls = new Map<string, ToolCallEvent>();
  readonly #results = new Map<string, ToolResultEvent>();
  readonly #inputs = new Map<string, readonly InputPart[]>();
  readonly #turns = new Map<number, TurnOutcome>();
  /** Turns that an undo cut after one of their calls. */
  readonly #cut = new Set<number>();
  /** Entries of steps, by turn and step. */
  readonly #steps = new Map<string, Entry[]>();
  #entries: Entry[] = [];
  #steered: string[] = [];
  /** The newest turn. */
  #turn: number | undefined;
  /** The turn that has no end yet. */
  #open: number | undefined;
  #canJoin = false;

  constructor(options: MessageOptions) {
    this.#options = options;
  }

  messages(): ModelMessage[] {
    return this.#entries.flatMap((entry) => (entry.shown ??= entry.render()));
  }

  add(event: DurableEvent): void {
    switch (event.type) {
      case "input":
        this.#inputs.set(event.operationId, event.parts);
        if (event.whenBusy === "steer" && this.#canJoin) this.#steered.push(event.operationId);
        break;
      case "turn-start":
        this.#turn = this.#open = event.turn;
        this.#canJoin = event.engine === NATIVE_ENGINE;
        this.#show(event.operationIds);
        break;
      case "abort":
        this.#steered = this.#steered.filter((id) => event.operationId !== undefined && id !== event.operationId);
        break;
      case "step-start":
        this.#show(this.#steered);
        this.#steered = [];
        break;
      case "tool-call":
        this.#calls.set(callOf(event, event.toolCallId), event);
        this.#stepChanged(event);
        break;
      case "tool-result":
        this.#results.set(callOf(event, event.toolCallId), event);
        this.#stepChanged(event);
        break;
      case "step-end":
        this.#addStep(event);
        break;
      case "turn-end":
        this.#outcomeChanged(event.turn, { ended: true });
        this.#open = undefined;
        this.#stopJoining();
        break;
      case "undo":
        if (this.#open !== undefined) this.#cut.add(this.#open);
        this.#stopJoining();
        break;
      case "reset":
        this.#reset(event.handoff);
        break;
      default:
        break;
    }
  }

  #outcome(turn: number): TurnOutcome {
    const known = this.#turns.get(turn) ?? { ended: false, answered: false, prompts: [] };
    this.#turns.set(turn, known);
    return known;
  }

  #outcomeChanged(turn: number, change: Partial<Pick<TurnOutcome, "ended" | "answered">>): void {
    const outcome = Object.assign(this.#outcome(turn), change);
    for (const entry of outcome.prompts) entry.shown = undefined;
  }

  #show(ids: readonly string[]): void {
    const outcome = this.#turn === undefined ? undefined : this.#outcome(this.#turn);
    for (const id of ids) {
      const parts = this.#inputs.get(id) ?? [];
      const render = () => [userMessage(parts, outcome !== undefined && outcome.ended && !outcome.answered)];
      outcome?.prompts.push(this.#push(render));
    }
  }

  #push(render: Entry["render"]): Entry {
    const entry: Entry = { render, shown: undefined };
    this.#entries.push(entry);
    return entry;
  }

  #addStep(event: StepEndEvent): void {
    const steps = { calls: this.#calls, results: this.#results, cut: this.#cut, options: this.#options };
    const entry = this.#push(() => stepMessages(event, steps));
    const key = stepOf(event);
    this.#steps.set(key, [...(this.#steps.get(key) ?? []), entry]);
    if (!this.#outcome(event.turn).answered) this.#outcomeChanged(event.turn, { answered: true });
  }

  #stepChanged(event: { readonly turn: number; readonly step: number }): void {
    for (const entry of this.#steps.get(stepOf(event)) ?? []) entry.shown = undefined;
  }

  #stopJoining(): void {
    this.#canJoin = false;
    this.#steered = [];
  }

  #reset(handoff: string | undefined): void {
    this.#entries = [];
    this.#steps.clear();
    for (const outcome of this.#turns.values()) outcome.prompts.length = 0;
    if (handoff !== undefined) this.#push(() => [{ role: "user", content: handoff }]);
  }
}

function stepOf({ turn, step }: { readonly turn: number; readonly step: number }): string {
  return `${turn} ${step}`;
}
