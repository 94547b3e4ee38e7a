import type { DeltaEvent, DurableEventBody, EngineHost, EngineTurn, InputPart } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";
import { effectiveBudget } from "./agent-config.ts";
import { createGate } from "./gate.ts";
import { overBudget } from "./loop.ts";
import type { TurnState } from "./session-state.ts";
import { settleOpenCalls } from "./settle-call.ts";
import { untilAborted } from "./until-aborted.ts";
import type { Workspace } from "./workspace.ts";

function isDelta(event: DurableEventBody | DeltaEvent): event is DeltaEvent {
  return event.type.endsWith("-delta");
}

function inputOf(workspace: Workspace, session: string, operationIds: readonly string[]): InputPart[] {
  return workspace.journal
    .events(session)
    .flatMap((event) => (event.type === "input" && operationIds.includes(event.operationId) ? event.parts : []));
}

/** An engine's tree, committed piece by piece. A stopped engine cannot commit any more. */
class EngineTree implements EngineHost {
  readonly gate: EngineHost["gate"];
  readonly signal: AbortSignal;
  readonly #workspace: Workspace;
  readonly #head: string;
  #overlay: ReturnType<Workspace["trees"]["overlay"]>;

  constructor(workspace: Workspace, head: string, engine: string, signal: AbortSignal) {
    this.#workspace = workspace;
    this.#head = head;
    this.signal = signal;
    const tooLate = (): string => "an engine cannot wait for one; allow it in the agent's policy";
    const call = { tool: engine, input: undefined, grants: [], tooLate };
    this.gate = createGate(workspace.config.policy, call);
    this.#overlay = workspace.trees.overlay(workspace.trees.head(head));
  }

  get fs(): EngineHost["fs"] {
    return this.#overlay;
  }

  async commit(): Promise<string> {
    const { trees, journal } = this.#workspace;
    this.signal.throwIfAborted();
    const staged = await trees.stage(this.#overlay);
    this.signal.throwIfAborted();
    const { tree } = trees.commit(this.#head, staged, () => journal.assertCurrent());
    this.#overlay = trees.overlay(tree);
    return tree;
  }
}

/** Appends what the engine yields, until it is done or over budget. */
async function follow(
  workspace: Workspace,
  session: string,
  events: AsyncIterator<DurableEventBody | DeltaEvent>,
  signal: AbortSignal,
): Promise<ReturnType<typeof overBudget>> {
  const { journal, deltas, config } = workspace;
  try {
    for (;;) {
      // An engine that does not listen to the signal must not hold the turn.
      const { done, value } = await untilAborted(events.next(), signal);
      if (done) return undefined;
      if (isDelta(value)) deltas.add(session, value);
      else journal.append(session, [value]);
      const over =
        value.type === "usage"
          ? overBudget(journal.state(session), effectiveBudget(config.budget), journal.spent())
          : undefined;
      if (over) return over;
    }
  } finally {
    // Lets it clean up, however it ended; nobody waits for that.
    void Promise.resolve(events.return?.()).catch(() => {});
  }
}

/**
 * Lets another engine work through the turn: its events go into the journal as they come, what it changed is committed
 * when it says so and at the end. The end of its stream ends the turn.
 */
export async function runEngine(
  workspace: Workspace,
  session: string,
  turn: TurnState,
  signal: AbortSignal,
): Promise<void> {
  const { journal, config } = workspace;
  const engine = config.engine;
  if (engine?.name !== turn.engine) {
    const what = `The engine "${turn.engine}"`;
    throw new TenrecError("not-configured", { what, how: "It began this turn; set it again as the agent's engine." });
  }
  // Stops the engine at a cap too.
  const stop = new AbortController();
  const host = new EngineTree(
    workspace,
    journal.session(session).head,
    engine.name,
    AbortSignal.any([signal, stop.signal]),
  );
  const resumeFrom = await engine.resume?.(session);
  const request: EngineTurn = {
    session,
    turn: turn.turn,
    input: inputOf(workspace, session, turn.operationIds),
    model: turn.model,
    ...(resumeFrom === undefined ? {} : { resumeFrom }),
  };
  journal.assertCurrent();
  const over = await follow(workspace, session, engine.run(request, host)[Symbol.asyncIterator](), signal);
  const tree = await host.commit();
  if (over) stop.abort(new TenrecError("aborted", { reason: over.text }));
  settleOpenCalls(workspace, session);
  const end = over ?? { reason: "done" as const, text: journal.state(session).turn?.text ?? "" };
  journal.append(session, [{ type: "turn-end", turn: turn.turn, reason: end.reason, text: end.text, tree }]);
}
