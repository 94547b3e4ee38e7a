import type {
  DurableEvent,
  OperationStatus,
  Stamp,
  ToolCallEvent,
  TurnEndEvent,
  TurnStartEvent,
  UndoEvent,
} from "@tenrec/protocol";
import { NATIVE_ENGINE } from "./native-engine.ts";
import {
  callKey,
  type CallState,
  NOTHING_SPENT,
  pendingApprovals,
  type SessionState,
  type TurnState,
} from "./session-state.ts";
import { withSeen } from "./seen-files.ts";
import { addSpent, spentBy } from "./spent.ts";

function withTurn(state: SessionState, change: Partial<TurnState>): SessionState {
  return state.turn ? { ...state, turn: { ...state.turn, ...change } } : state;
}

function withCall(state: SessionState, toolCallId: string, change: (call: CallState) => CallState): SessionState {
  if (!state.turn) return state;
  return withTurn(state, { calls: state.turn.calls.map((c) => (c.call.toolCallId === toolCallId ? change(c) : c)) });
}

function settle(state: SessionState, settled: readonly OperationStatus[]): SessionState {
  const open = new Map(state.open);
  for (const { operationId } of settled) open.delete(operationId);
  return { ...state, open, settled };
}

/** The operations of the running turn all wait for the same thing: the model, or the first open question. */
function withTurnStatus(state: SessionState): SessionState {
  if (!state.turn) return state;
  const [waiting] = pendingApprovals(state);
  const open = new Map(state.open);
  for (const operationId of state.turn.operationIds) {
    open.set(
      operationId,
      waiting ? { operationId, status: "waiting", approvalId: waiting.approvalId } : { operationId, status: "running" },
    );
  }
  return { ...state, open };
}

function startTurn(state: SessionState, event: TurnStartEvent): SessionState {
  const { turn, operationIds, engine, model, tree } = event;
  return {
    ...state,
    turns: turn,
    queue: state.queue.filter((id) => !operationIds.includes(id)),
    turn: {
      turn,
      operationIds,
      engine,
      model,
      tree,
      step: 0,
      attempt: 0,
      stepOpen: false,
      calls: [],
      text: "",
      unseen: [],
      spent: NOTHING_SPENT,
      lastCall: { key: "", nth: 0 },
      aborted: false,
    },
  };
}

function endTurn(state: SessionState, { reason, text, turn }: TurnEndEvent): SessionState {
  const { turn: ended, ...rest } = state;
  const status = (operationId: string): OperationStatus =>
    reason === "done"
      ? { operationId, status: "done", text, turn }
      : { operationId, status: "stopped", reason, message: text, turn };
  return settle(rest, (ended?.operationIds ?? []).map(status));
}

/**
 * A prompt in the queue, or one that joined a turn and was not yet shown to the model, is dropped alone. Any other
 * operation of the running turn stops the turn.
 */
function abort(state: SessionState, operationId: string | undefined): SessionState {
  const { turn } = state;
  const hit = (id: string): boolean => operationId === undefined || id === operationId;
  const unseen = operationId === undefined ? [] : (turn?.unseen.filter(hit) ?? []);
  const dropped = [...state.queue.filter(hit), ...unseen];
  const next = settle(
    { ...state, queue: state.queue.filter((id) => !hit(id)) },
    dropped.map((id) => ({
      operationId: id,
      status: "stopped",
      reason: "aborted",
      message: "Stopped before it began.",
      turn: state.turns,
    })),
  );
  if (!turn) return next;
  const isLeft = (id: string): boolean => !unseen.includes(id);
  const operationIds = turn.operationIds.filter(isLeft);
  return withTurn(next, {
    operationIds,
    unseen: turn.unseen.filter(isLeft),
    aborted: turn.aborted || operationIds.some(hit),
  });
}

/** What waits, a parked turn included, goes with what is taken back: it was said in view of it. */
function undo(state: SessionState, { seq, toSeq }: UndoEvent & Stamp): SessionState {
  const { turn, ...rest } = state;
  const dropped = [...state.open.keys()].map((operationId): OperationStatus => ({
    operationId,
    status: "stopped",
    reason: "aborted",
    message: "Taken back before it was done.",
    turn: turn?.turn ?? state.turns,
  }));
  return settle({ ...rest, queue: [], undos: [...state.undos, { seq, toSeq }] }, dropped);
}

/** Whether a prompt that wants to steer can join the running turn; else it waits for one of its own. */
function canSteer({ turn }: Pick<SessionState, "turn">): boolean {
  return turn !== undefined && !turn.aborted && turn.engine === NATIVE_ENGINE;
}

function addInput(state: SessionState, operationId: string, steer: boolean): SessionState {
  const { turn } = state;
  if (steer && turn && canSteer(state)) {
    const operationIds = [...turn.operationIds, operationId];
    return withTurn(state, { operationIds, unseen: [...turn.unseen, operationId] });
  }
  const open = new Map(state.open).set(operationId, { operationId, status: "queued" });
  return { ...state, queue: [...state.queue, operationId], open };
}

function addCall(state: SessionState, call: ToolCallEvent): SessionState {
  const { turn } = state;
  if (!turn) return state;
  const key = callKey(call);
  const nth = turn.lastCall.key === key ? turn.lastCall.nth + 1 : 1;
  const calls = [...turn.calls, { call, grants: [], effect: false, nth }];
  return withTurn(state, { calls, lastCall: { key, nth } });
}

function withSpent(state: SessionState, event: DurableEvent): SessionState {
  const added = spentBy(event) ?? NOTHING_SPENT;
  const session = { ...state, spent: addSpent(state.spent, added) };
  return withTurn(session, { spent: addSpent(state.turn?.spent ?? NOTHING_SPENT, added) });
}

function endStep(state: SessionState, text: string): SessionState {
  if (!state.turn) return state;
  const { error: _settled, ...open } = state.turn;
  return { ...state, turn: { ...open, stepOpen: false, text } };
}

function applyTurnEvent(state: SessionState, event: DurableEvent): SessionState {
  switch (event.type) {
    case "step-start": {
      const { step, attempt } = event;
      // Calls of an earlier step without a result stay: they need one, or the transcript is not legal.
      const calls = state.turn?.calls.filter((c) => !c.result) ?? [];
      return withSpent(withTurn(state, { step, attempt, stepOpen: true, calls, unseen: [] }), event);
    }
    case "tool-call":
      return addCall(state, event);
    case "usage":
      return withSpent(state, event);
    case "worker-usage":
      // Whoever looks at a preview loads it: it is no matter of the turn.
      return { ...state, spent: addSpent(state.spent, spentBy(event) ?? NOTHING_SPENT) };
    case "step-end":
      return endStep(state, event.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(""));
    case "effect":
      return withCall(state, event.toolCallId, (c) => ({ ...c, effect: true }));
    case "tool-result":
      return withSeen(
        withCall(state, event.toolCallId, (c) => ({ ...c, result: event })),
        event,
      );
    case "error":
      return withTurn(state, { error: { code: event.error.code, message: event.error.message } });
    default:
      return state;
  }
}

function applyApproval(state: SessionState, event: DurableEvent): SessionState {
  if (event.type === "approval-request") {
    const { session, approvalId, toolCallId, toolName, permission, detail, inputHash, expiresAt, at } = event;
    const asked = { session, approvalId, toolCallId, toolName, permission, detail, askedAt: at, inputHash };
    const approval = { ...asked, ...(expiresAt === undefined ? {} : { expiresAt }) };
    return withCall(state, toolCallId, (c) => ({ ...c, approval }));
  }
  if (event.type !== "approval-answer") return state;
  const { approvalId, approved, reason, by } = event;
  return withCall(state, event.toolCallId, (c) =>
    c.approval?.approvalId === approvalId
      ? {
          ...c,
          approval: { ...c.approval, approved, by, ...(reason === undefined ? {} : { reason }) },
          grants: approved
            ? [...c.grants, { permission: c.approval.permission, inputHash: c.approval.inputHash }]
            : c.grants,
        }
      : c,
  );
}

/** One step of the fold. Pure; an event that it does not know changes nothing but `lastSeq`. */
export function applyEvent(previous: SessionState, event: DurableEvent): SessionState {
  const state = { ...previous, lastSeq: event.seq, settled: [] };
  switch (event.type) {
    case "input":
      return withTurnStatus(addInput(state, event.operationId, event.whenBusy === "steer"));
    case "turn-start":
      return withTurnStatus(startTurn(state, event));
    case "turn-end":
      return endTurn(state, event);
    case "abort":
      return withTurnStatus(abort(state, event.operationId));
    case "undo":
      return undo(state, event);
    case "reset":
      return { ...state, seen: new Map() };
    case "session-change":
      return {
        ...state,
        ...(event.title === undefined ? {} : { title: event.title }),
        ...(event.model === undefined ? {} : { model: event.model }),
      };
    case "approval-request":
    case "approval-answer":
      return withTurnStatus(applyApproval(state, event));
    default:
      return applyTurnEvent(state, event);
  }
}
