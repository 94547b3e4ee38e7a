import type { DurableEvent, DurableEventBody, OperationStatus } from "@tenrec/protocol";
import { expect, test } from "vitest";
import { applyEvent } from "./apply-event.ts";
import { type Action, decide, MAX_ATTEMPTS } from "./loop.ts";
import { toModelMessages } from "./messages.ts";
import { EMPTY_STATE, pendingApprovals, type SessionState, type TurnState } from "./session-state.ts";
import { Chance } from "./simulation/with-chance.ts";
import { illegalIn } from "./simulation/with-legal.ts";
import { seedsToPlay } from "./simulation/with-seeds.ts";

const SEEDS = 10_000;
const ACTIONS = 60;

/** Throws when a provider would refuse the conversation. */
function assertLegal(events: readonly DurableEvent[]): void {
  const [wrong] = illegalIn(events);
  if (wrong !== undefined) throw new Error(wrong);
}

function assertNoneTwice(what: string, ids: readonly (string | number)[]): void {
  if (new Set(ids).size !== ids.length) throw new Error(`${what} twice among ${ids.join()}`);
}

/** One session that meets prompts, steering, stops, answers, failures and cuts in an order that the seed decides. */
class Simulation {
  readonly #random: Chance;
  readonly #events: DurableEvent[] = [];
  readonly #settled = new Map<string, OperationStatus>();
  #state: SessionState = EMPTY_STATE;
  #count = 0;

  constructor(seed: number) {
    this.#random = new Chance(seed);
  }

  /** Throws when something holds that must not. */
  run(): void {
    this.#prompt("followUp");
    for (let n = 0; n < ACTIONS; n += 1) {
      this.#outside();
      const action = decide(this.#state, { turn: { steps: 6 } });
      const before = this.#events.length;
      this.#perform(action);
      const isQuiet = action.type === "idle" || action.type === "park" || action.type === "run-calls";
      if (this.#events.length === before && !isQuiet) throw new Error(`nothing happened for ${action.type}`);
      if (this.#chance(0.05)) this.#assertSameAfterRestart();
    }
    this.#assertSameAfterRestart();
    this.#assertWhole();
  }

  #chance(p: number): boolean {
    return this.#random.is(p);
  }

  #name(kind: string): string {
    this.#count += 1;
    return `${kind}${this.#count}`;
  }

  #append(...bodies: readonly DurableEventBody[]): void {
    for (const body of bodies) {
      const event: DurableEvent = { ...body, session: "s", seq: this.#events.length + 1, at: this.#events.length };
      this.#events.push(event);
      this.#state = applyEvent(this.#state, event);
      for (const status of this.#state.settled) {
        if (this.#settled.has(status.operationId)) throw new Error(`${status.operationId} was settled twice`);
        this.#settled.set(status.operationId, status);
      }
    }
  }

  #prompt(whenBusy: "steer" | "followUp"): void {
    const operationId = this.#name("o");
    this.#append({ type: "input", operationId, parts: [{ type: "text", text: `<${operationId}>` }], whenBusy });
  }

  /** What people do at any moment. */
  #outside(): void {
    if (this.#chance(0.1)) this.#prompt(this.#chance(0.5) ? "steer" : "followUp");
    const open = [...this.#state.open.keys()];
    if (open.length > 0 && this.#chance(0.03)) {
      this.#append({ type: "abort", ...(this.#chance(0.5) ? { operationId: this.#random.pick(open) } : {}) });
    }
    const pending = pendingApprovals(this.#state);
    const { turn } = this.#state;
    if (turn && pending.length > 0 && this.#chance(0.3)) {
      const { approvalId, toolCallId } = this.#random.pick(pending);
      const approved = this.#chance(0.6);
      this.#append({ type: "approval-answer", turn: turn.turn, approvalId, toolCallId, approved, by: "person" });
    }
    if (!turn && this.#chance(0.02)) {
      this.#append({ type: "reset", ...(this.#chance(0.5) ? { handoff: "h" } : {}) });
    }
  }

  #perform(action: Action): void {
    const { turn } = this.#state;
    if (action.type === "idle" && this.#state.open.size > 0) throw new Error("idle with open operations");
    if (action.type === "park" && pendingApprovals(this.#state).length === 0)
      throw new Error("parked without a question");
    if (action.type === "start-turn") {
      const { operationIds } = action;
      const start = { type: "turn-start", engine: "native", model: "m", tree: "t" } as const;
      this.#append({ ...start, turn: this.#state.turns + 1, operationIds });
    }
    if (!turn) return;
    if (action.type === "end-turn") {
      this.#append({ type: "turn-end", turn: turn.turn, reason: action.reason, text: action.text, tree: "t" });
      assertLegal(this.#events);
    }
    if (action.type === "settle-call") this.#result(turn, action.call, "interrupted");
    if (action.type === "call-model") this.#callModel(turn.turn, action.step, action.attempt);
    if (action.type === "run-calls") this.#runCalls(turn, action.calls);
  }

  #result(
    { turn, step }: TurnState,
    { toolCallId, toolName }: { toolCallId: string; toolName: string },
    status: "ok" | "interrupted",
  ): void {
    const output = { text: status };
    this.#append({ type: "tool-result", turn, step, toolCallId, toolName, status, output, durationMs: 0, tree: "t" });
  }

  #callModel(turn: number, step: number, attempt: number): void {
    if (attempt > MAX_ATTEMPTS) throw new Error("too many attempts");
    this.#append({ type: "step-start", turn, step, attempt });
    assertLegal(this.#events);
    this.#outside();
    const error = { code: "internal", message: "x", data: null } as const;
    if (this.#chance(0.15)) this.#append({ type: "error", turn, error });
    // It failed, was cut off, or was stopped.
    else if (!this.#chance(0.1) && !this.#state.turn?.aborted) this.#append(...this.#answer(turn, step));
  }

  #answer(turn: number, step: number): DurableEventBody[] {
    const error = { code: "internal", message: "x", data: null } as const;
    const calls = Array.from({ length: this.#random.below(4) }, () => {
      const toolCallId = this.#name("c");
      const kind = this.#chance(0.5)
        ? ({ toolName: "read", replay: "pure" } as const)
        : ({ toolName: "edit", replay: "transaction" } as const);
      const input = this.#chance(0.3) ? {} : { id: toolCallId };
      const invalid = this.#chance(0.05) ? { invalid: error } : {};
      return { type: "tool-call", turn, step, toolCallId, ...kind, input, permission: "read", ...invalid } as const;
    });
    const text = calls.length === 0 || this.#chance(0.5) ? [{ type: "text" as const, text: "x" }] : [];
    const content = [...text, ...calls.map(({ toolCallId }) => ({ type: "tool-call" as const, toolCallId }))];
    return [...calls, { type: "step-end", turn, step, content, finishReason: "stop", durationMs: 1 }];
  }

  #runCalls(turn: TurnState, calls: Extract<Action, { type: "run-calls" }>["calls"]): void {
    for (const { call, grants } of calls.toSorted(() => this.#random.next() - 0.5)) {
      this.#outside();
      if (this.#state.turn?.aborted) return;
      const { toolCallId, toolName } = call;
      if (grants.length === 0 && this.#chance(0.2)) {
        const question = { type: "approval-request", permission: "read", detail: "d", inputHash: "h" } as const;
        this.#append({ ...question, turn: turn.turn, approvalId: this.#name("a"), toolCallId, toolName });
      } else if (this.#chance(0.9)) this.#result(turn, call, "ok");
    }
  }

  #assertSameAfterRestart(): void {
    const plain = (state: SessionState): string => JSON.stringify({ ...state, open: [...state.open] });
    const again = this.#events.reduce(applyEvent, EMPTY_STATE);
    if (plain(again) !== plain(this.#state)) throw new Error("a restart folds to another state");
  }

  #assertWhole(): void {
    const events = this.#events;
    assertNoneTwice(
      "a result",
      events.flatMap((e) => (e.type === "tool-result" ? [e.toolCallId] : [])),
    );
    assertNoneTwice(
      "the end of a turn",
      events.flatMap((e) => (e.type === "turn-end" ? [e.turn] : [])),
    );
    if (events.some((e) => e.type === "reset")) return;
    const shown = JSON.stringify(toModelMessages(events, { mediaInResults: true }));
    const ids = events.flatMap((e) => (e.type === "input" ? [e.operationId] : []));
    for (const id of ids) {
      const times = shown.split(`<${id}>`).length - 1;
      const status = this.#settled.get(id);
      if (times > 0 && status?.status === "stopped" && status.message === "Stopped before it began.") {
        throw new Error(`the dropped prompt ${id} is shown`);
      }
      if (times > 1) throw new Error(`the prompt ${id} is shown ${times} times`);
      if (times === 0 && status?.status === "done") throw new Error(`the prompt ${id} is not shown`);
    }
  }
}

test("whatever happens in whatever order, nothing is lost, doubled, stuck, or refused by a provider", () => {
  for (const seed of seedsToPlay(SEEDS)) {
    expect(() => new Simulation(seed).run(), `TENREC_SEED=${seed} plays it again`).not.toThrow();
  }
}, 120_000);
