import type { OperationStatus as OurStatus, TenrecEvent } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";
import type {
  AgentHarness,
  HarnessSession,
  OperationResult,
  SessionEvent,
  SessionInfo,
  SessionWatch,
} from "agents/experimental/channels";
import type { Sessions } from "../sessions.ts";
import { waitFor } from "../wait.ts";
import type { Workspace } from "../workspace.ts";
import { SessionEventMapper, toStatus } from "./session-events.ts";
import { toTranscript } from "./transcript.ts";

/** What the adapter needs of an agent: `CodingAgent` has it. */
export interface Harnessed {
  readonly sessions: Sessions;
  readonly workspace: Workspace;
}

/** The session that a caller gets who names none. */
const DEFAULT_SESSION = "default";

type Listener = (events: readonly SessionEvent[]) => Promise<void>;

function watch({ sessions, workspace }: Harnessed, id: string): SessionWatch {
  const { journal, deltas } = workspace;
  const transcript = (): ReturnType<typeof toTranscript> => toTranscript(journal.events(id));
  const { turn } = journal.state(id);
  const status = (operationId: string): OurStatus | undefined => journal.operation(id, operationId);
  const mapper = new SessionEventMapper(transcript, status, turn?.operationIds ?? []);
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  let listener: Listener | undefined;
  let waiting: SessionEvent[] = [];
  let delivery = Promise.resolve();
  const flush = (): void => {
    if (!listener || waiting.length === 0) return;
    const [events, deliver] = [waiting, listener];
    waiting = [];
    // A listener that fails ends its own watch, and nobody else's.
    delivery = delivery.then(() => deliver(events)).catch(stop);
  };
  const take = (events: readonly TenrecEvent[]): void => {
    waiting.push(...events.filter((e) => e.session === id).flatMap((e) => mapper.map(e)));
    flush();
  };
  function removed(session: string): void {
    if (session === id) stop();
  }
  const unlisten = [journal.listen(take), deltas.listen((delta) => take([delta])), journal.listenRemoval(removed)];
  function stop(): void {
    for (const end of unlisten) end();
    close();
  }
  const { operations } = sessions.snapshot(id);
  const partial = turn ? deltas.open(id).flatMap((delta) => mapper.map(delta)) : [];
  return {
    state: {
      messages: transcript(),
      pending: operations.map(toStatus),
      ...(turn
        ? {
            run: {
              operations: turn.operationIds,
              partial: partial.flatMap((event) => (event.type === "chunk" ? [event.chunk] : [])),
            },
          }
        : {}),
    },
    start(to) {
      listener = to;
      flush();
    },
    async stop() {
      stop();
      await delivery;
    },
    closed,
  };
}

async function waitSettled(
  agent: Harnessed,
  session: string,
  operationId: string,
  signal?: AbortSignal,
): Promise<OperationResult> {
  for (;;) {
    signal?.throwIfAborted();
    const status = toStatus(await waitFor(agent.workspace, agent.sessions, session, operationId, 30_000, signal));
    if (status.status === "done" || status.status === "unanswered") return { ...status, session };
    // Parked: only an answer can go on with it.
    await agent.workspace.clock.sleep(1000, signal);
  }
}

function harnessSession(agent: Harnessed, id: string): HarnessSession {
  const { sessions } = agent;
  return {
    id,
    async submit(input, options = {}) {
      if ("parts" in input) return sessions.submit(id, input.parts, options);
      const { operationId = crypto.randomUUID() } = options;
      if (input.type === "tool-result") throw new TenrecError("unsupported", { what: "client tools", by: "Tenrec" });
      const { approvalId, approved, reason } = input;
      await sessions.answer(id, approvalId, { approved, ...(reason === undefined ? {} : { reason }) });
      return { operationId, session: id, accepted: true };
    },
    abort: (operationId) => sessions.abort(id, operationId),
    wait: (operationId, signal) => waitSettled(agent, id, operationId, signal),
    async reset(handoff) {
      sessions.reset(id, handoff);
    },
    async watch() {
      return watch(agent, id);
    },
  };
}

/**
 * The agent as an `AgentHarness` of `agents`, so that its Channels and Chats accept it. What that interface has no words
 * for, such as cost, diffs and approvals' details, stays in our own events.
 */
export function asAgentHarness(agent: Harnessed): AgentHarness {
  const { sessions } = agent;
  return {
    sessions: {
      create: async () => harnessSession(agent, sessions.create().id),
      fork: async (from) => harnessSession(agent, sessions.fork(from).id),
      list: async () =>
        sessions.list().map(({ id, parent, state }): SessionInfo => ({
          id,
          busy: state !== "idle",
          ...(parent === undefined ? {} : { parent }),
        })),
    },
    session(id = DEFAULT_SESSION) {
      if (id === DEFAULT_SESSION && !sessions.list().some((s) => s.id === id)) sessions.create({ id });
      return harnessSession(agent, sessions.get(id).id);
    },
  };
}
