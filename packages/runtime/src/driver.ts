import type { TurnEndReason } from "@tenrec/protocol";
import { errorJson, TenrecError } from "@tenrec/protocol";
import { effectiveBudget, uncountable } from "./agent-config.ts";
import { expireApproval } from "./approvals.ts";
import { callModel } from "./call-model.ts";
import { Conversations } from "./conversations.ts";
import { type Action, decide } from "./loop.ts";
import { NATIVE_ENGINE } from "./native-engine.ts";
import { type Instructions, projectInstructions } from "./read-instructions.ts";
import { runCall } from "./run-call.ts";
import { runEngine } from "./run-engine.ts";
import { settleCall, settleOpenCalls } from "./settle-call.ts";
import { untilAborted } from "./until-aborted.ts";
import { treeOf, type Workspace } from "./workspace.ts";

const MINUTE = 60_000;
/** After an action that ends past this much of a slice, the slice ends. In milliseconds. */
const SLICE_MS = 4 * MINUTE;
/** While another session's action keeps a slice open, sessions may begin actions in it up to here. In milliseconds. */
const GUEST_MS = 10 * MINUTE;
/** An alarm has 15 minutes; no action runs past this much of a slice. In milliseconds. */
const HARD_MS = 14 * MINUTE;
/** Ceiling for one action, a model call or a tool call. In milliseconds. */
const ACTION_MS = 10 * MINUTE;
/** Restarts of a turn without any progress between them, before it is given up. */
const MAX_INTERRUPTIONS = 5;

/**
 * Carries out what `decide` says, for all sessions of a workspace, inside alarm slices. Holds nothing that a restart
 * would miss: everything it knows is in the journal.
 */
export class Driver {
  readonly #workspace: Workspace;
  /** What stops the action under way. Each action has its own, so that a late stop does not hit the next one. */
  readonly #running = new Map<string, AbortController>();
  /** Sessions whose turn this instance has begun or already counted as interrupted. */
  readonly #seen = new Set<string>();
  /** Sessions that could not even record their failure; tried again when something comes in, or in a later slice. */
  readonly #stuck = new Map<string, unknown>();
  /** What model calls would otherwise read again at each step. */
  readonly #past: { readonly conversations: Conversations; readonly instructions: Instructions };
  #slice: { readonly start: number; readonly changed: PromiseWithResolvers<void> } | undefined;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.#past = {
      conversations: new Conversations(workspace.journal),
      instructions: projectInstructions(workspace),
    };
  }

  /** True when some session has something to do. Throws what the agent's fields throw. */
  hasWork(): boolean {
    return this.#workspace.journal.sessions().some(({ id }) => this.#isRunnable(id));
  }

  /**
   * Works until nothing is left to do or the slice is used up. Says whether something is left, and whether it could not be
   * worked on just now, so that it is better tried later: see `trouble`. Throws what keeps the instance from any work, such
   * as `ENOSPC`.
   */
  async slice(): Promise<"done" | "left" | "stuck"> {
    this.#workspace.journal.requireClaim();
    this.#stuck.clear();
    this.#slice = { start: this.#workspace.clock.now(), changed: Promise.withResolvers() };
    try {
      for (const { id } of this.#workspace.journal.sessions()) if (this.#isRunnable(id)) this.#start(id);
      while (this.#running.size > 0) {
        await this.#slice.changed.promise;
        this.#slice = { ...this.#slice, changed: Promise.withResolvers() };
      }
    } finally {
      this.#slice = undefined;
    }
    if (this.#stuck.size > 0) return "stuck";
    return this.hasWork() ? "left" : "done";
  }

  /** What kept a session from being worked on in the last slice; undefined when nothing did. */
  get trouble(): unknown {
    return this.#stuck.values().next().value;
  }

  /** Picks up a session in the slice that is under way. False when it cannot, so that a slice must be scheduled. */
  wake(session: string): boolean {
    if (!this.#mayBegin(session)) return false;
    this.#stuck.delete(session);
    this.#start(session);
    return true;
  }

  /** Whether something runs for a session right now. */
  isWorking(session: string): boolean {
    return this.#running.has(session);
  }

  /** Stops what runs for a session right now; the journal says whether it goes on. */
  interrupt(session: string, reason: string): void {
    this.#running.get(session)?.abort(new TenrecError("aborted", { reason }));
  }

  /** Whether an action of the session can begin: within the slice, or while others keep it open anyway. */
  #mayBegin(session: string): boolean {
    if (!this.#slice) return false;
    const age = this.#workspace.clock.now() - this.#slice.start;
    const others = this.#running.size - (this.#running.has(session) ? 1 : 0);
    return age < SLICE_MS || (others > 0 && age < GUEST_MS);
  }

  #isRunnable(session: string): boolean {
    if (this.#stuck.has(session) || !this.#workspace.journal.has(session)) return false;
    const { type } = this.#next(session);
    return type !== "idle" && type !== "park";
  }

  #next(session: string): Action {
    const { journal, config, clock } = this.#workspace;
    const around = { now: clock.now(), spent: journal.spent() };
    return decide(journal.state(session), effectiveBudget(config.budget), around);
  }

  #start(session: string): void {
    if (this.#running.has(session)) return;
    this.#running.set(session, new AbortController());
    void this.#drive(session)
      .catch((error: unknown) => this.#failed(session, error))
      .catch((error: unknown) => this.#stuck.set(session, error))
      .then(() => {
        this.#running.delete(session);
        this.#past.conversations.forget(session);
        // Something may have come in after the last decision, while this still counted as running.
        if (this.#mayBegin(session) && this.#isRunnableSafely(session)) this.#start(session);
        this.#slice?.changed.resolve();
      });
  }

  #isRunnableSafely(session: string): boolean {
    try {
      return this.#isRunnable(session);
    } catch (error) {
      this.#stuck.set(session, error);
      return false;
    }
  }

  async #drive(session: string): Promise<void> {
    this.#countInterruption(session);
    while (this.#mayBegin(session)) {
      const action = this.#next(session);
      if (action.type === "idle" || action.type === "park") return;
      const stop = new AbortController();
      this.#running.set(session, stop);
      try {
        await this.#withCeiling(stop.signal, (signal) => this.#perform(session, action, signal));
      } catch (error) {
        // Stopped on request: the journal has the abort, and the next decision settles what was open.
        if (!stop.signal.aborted) throw error;
      }
    }
  }

  async #withCeiling(stop: AbortSignal, perform: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { clock } = this.#workspace;
    const ceiling = new AbortController();
    const over = new AbortController();
    const age = clock.now() - (this.#slice?.start ?? clock.now());
    const ms = Math.min(ACTION_MS, HARD_MS - age);
    clock.sleep(ms, over.signal).then(
      () => ceiling.abort(new TenrecError("timeout", { what: "The action", ms })),
      () => {},
    );
    const signal = AbortSignal.any([stop, ceiling.signal]);
    try {
      await untilAborted(perform(signal), ceiling.signal);
    } finally {
      over.abort();
    }
  }

  async #perform(session: string, action: Action, signal: AbortSignal): Promise<void> {
    const workspace = this.#workspace;
    const { turn } = workspace.journal.state(session);
    switch (action.type) {
      case "start-turn":
        return this.#startTurn(session, action.operationIds);
      case "call-model":
        if (turn) await callModel(workspace, { session, turn, action, signal, ...this.#past });
        return;
      case "run-engine":
        if (turn) await runEngine(workspace, session, turn, signal);
        return;
      case "run-calls":
        await Promise.all(action.calls.map((state) => runCall(workspace, { session, state, signal })));
        return;
      case "settle-call":
        return settleCall(workspace, session, action);
      case "expire":
        return expireApproval(workspace, action.approval);
      case "end-turn":
        return this.#endTurn(session, action.reason, action.text);
      case "idle":
      case "park":
        return;
    }
  }

  #startTurn(session: string, operationIds: readonly string[]): void {
    const { journal, config } = this.#workspace;
    const state = journal.state(session);
    const turn = state.turns + 1;
    const tree = treeOf(this.#workspace, session);
    const start = (engine: string, model: string) =>
      ({ type: "turn-start", turn, operationIds, engine, model, tree }) as const;
    let named: ReturnType<typeof start>;
    try {
      named = start(config.engine?.name ?? NATIVE_ENGINE, state.model ?? config.model);
    } catch (error) {
      // The agent's own fields are at fault; the operation ends with the reason instead of being tried for ever.
      const { message: text } = errorJson(error);
      const end = { type: "turn-end", turn, reason: "failed", text, tree } as const;
      journal.append(session, [start(NATIVE_ENGINE, "unknown"), end]);
      return;
    }
    const text = named.engine === NATIVE_ENGINE ? uncountable(config, named.model) : undefined;
    if (text === undefined) journal.append(session, [named]);
    else journal.append(session, [named, { type: "turn-end", turn, reason: "budget", text, tree }]);
  }

  #endTurn(session: string, reason: TurnEndReason, text: string): void {
    const { journal } = this.#workspace;
    const { turn } = journal.state(session);
    if (turn)
      journal.append(session, [
        { type: "turn-end", turn: turn.turn, reason, text, tree: treeOf(this.#workspace, session) },
      ]);
  }

  /** A turn that another instance left unfinished was interrupted; too often without progress, and it is given up. */
  #countInterruption(session: string): void {
    if (this.#seen.has(session)) return;
    const { journal } = this.#workspace;
    if (journal.state(session).turn) {
      const count = journal.session(session).interruptions + 1;
      journal.setInterruptions(session, count);
      if (count > MAX_INTERRUPTIONS) {
        const text = `Given up: interrupted ${count} times in a row. Submit again to go on from here.`;
        this.#giveUp(session, "recovery", text);
      }
    }
    // Only now: what could not be recorded, such as with the storage full, is counted with the next try.
    this.#seen.add(session);
  }

  /** A defect of ours, or a port that broke its contract: the turn ends with a reason instead of trying for ever. */
  #failed(session: string, error: unknown): void {
    // Deleted while it ran.
    if (!this.#workspace.journal.has(session)) return;
    const before = this.#workspace.journal.state(session).lastSeq;
    this.#giveUp(session, "failed", errorJson(error).message);
    if (this.#workspace.journal.state(session).lastSeq === before) this.#stuck.set(session, error);
  }

  #giveUp(session: string, reason: TurnEndReason, text: string): void {
    settleOpenCalls(this.#workspace, session);
    this.#endTurn(session, reason, text);
  }
}
