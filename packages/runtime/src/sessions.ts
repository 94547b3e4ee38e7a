import { gitStore } from "./call-git.ts";
import type {
  ApprovalAnswer,
  DurableEvent,
  InputPart,
  OperationStatus,
  PendingApproval,
  Receipt,
  SessionInfo,
  SessionPoint,
  SessionSnapshot,
  SpentByScope,
  SubmitOptions,
  Undone,
  UndoOptions,
} from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";
import { answerApproval } from "./approvals.ts";
import { checkPrompt } from "./check-prompt.ts";
import { deleteSession, hasLeftovers } from "./delete-session.ts";
import { exportSession } from "./export-session.ts";
import { forkSession } from "./fork-session.ts";
import { sha256 } from "./hash.ts";
import type { SessionRow } from "./journal.ts";
import type { SessionState } from "./session-state.ts";
import { pendingApprovals } from "./session-state.ts";
import { findPoint } from "./session-point.ts";
import { markdownTranscript } from "./markdown-transcript.ts";
import { undoSession } from "./undo-session.ts";
import { untilQuiet } from "./until-quiet.ts";
import { MAIN_HEAD, ownHead, treeOf, type Workspace } from "./workspace.ts";

/** How sessions reach what runs them. */
export interface Scheduler {
  /** Something to do has come in; it is durable. */
  schedule(session: string): Promise<void>;
  /** What runs for the session is to stop now. */
  interrupt(session: string, reason: string): void;
  /** Whether something runs for the session just now. */
  isWorking(session: string): boolean;
  /** Something can be freed some time later. */
  planMaintenance(): Promise<void>;
}

/** How long an undo waits for a turn that it stops. In milliseconds. */
const STOP_MS = 30_000;

export interface CreateOptions {
  readonly title?: string;
  /** Default: a new random id. Creating an id that exists is refused with `request-invalid`. */
  readonly id?: string;
  /**
   * A session whose files, as they are now, the new one begins with, in a tree of its own; `null` for a tree of its own
   * without files. Default: it shares the tree of the workspace.
   */
  readonly filesFrom?: string | null;
}

export interface ForkOptions {
  /** Default: the newest moment at which nothing ran. */
  readonly at?: SessionPoint;
}

/** `jsonl` has everything, `markdown` is for people. */
export type ExportFormat = "jsonl" | "markdown";

/** The conversations of one workspace. Every method that names a session may throw `session-not-found`. */
export class Sessions {
  readonly #workspace: Workspace;
  readonly #scheduler: Scheduler;

  constructor(workspace: Workspace, scheduler: Scheduler) {
    this.#workspace = workspace;
    this.#scheduler = scheduler;
  }

  create({ title, id = crypto.randomUUID(), filesFrom }: CreateOptions = {}): SessionInfo {
    const { journal, storage, trees } = this.#workspace;
    if (!/^[\w.-]{1,100}$/.test(id)) {
      throw new TenrecError("request-invalid", { reason: "a session id is 1 to 100 of A-Z a-z 0-9 _ . -" });
    }
    this.#refuseSecret("a session id", id);
    if (journal.sessions().some((row) => row.id === id)) {
      throw new TenrecError("request-invalid", { reason: `session ${id} exists; use it, or choose another id` });
    }
    // Its rows would become those of the new one.
    if (hasLeftovers(storage.sql, id)) throw new TenrecError("session-busy", { session: id });
    const head = filesFrom === undefined ? MAIN_HEAD : ownHead(id);
    const tree = typeof filesFrom === "string" ? treeOf(this.#workspace, filesFrom) : trees.emptyTree;
    storage.transactionSync(() => {
      if (filesFrom !== undefined) trees.setHead(head, tree);
      if (typeof filesFrom === "string") gitStore(this.#workspace).copy(journal.session(filesFrom).head, head);
      journal.createSession(id, head);
    });
    if (title !== undefined) journal.append(id, [{ type: "session-change", title }]);
    return this.get(id);
  }

  /**
   * A new session that begins as `from` was at a moment, on a tree of its own. Default: with everything that it has settled
   * so far. `point-not-found` for a moment that does not count any more.
   */
  fork(from: string, { at }: ForkOptions = {}): SessionInfo {
    return this.get(forkSession(this.#workspace, from, at));
  }

  /**
   * Deletes a session with its history and, in the end, the content of files that nothing else refers to; forks of it stay.
   * A turn that runs is stopped. Watchers are refused with `session-not-found`. Resolves when the rows are gone; a crash
   * before that leaves the rest to the next maintenance.
   */
  async delete(session: string): Promise<void> {
    this.#workspace.journal.session(session);
    await this.#scheduler.planMaintenance();
    await deleteSession(this.#workspace, session);
  }

  /**
   * Goes back to a moment, in conversation and files together: `{ turn: 3 }` takes back turn 3 and what followed. Of a turn
   * that waits for an approval, and of prompts that wait behind it, nothing is left. Throws `session-busy` while a turn
   * runs, `point-not-found`, and `undo-conflict` where others changed the same files since.
   */
  async undo(session: string, to: SessionPoint, options: UndoOptions = {}): Promise<Undone> {
    const { force = false, whenBusy = "reject" } = options;
    if (this.#isBusy(session)) {
      if (whenBusy === "reject") throw new TenrecError("session-busy", { session });
      // What cannot be done is refused before anything is stopped.
      findPoint(session, this.#workspace.journal.events(session), to);
      await this.abort(session);
      await untilQuiet(this.#workspace, session, STOP_MS);
    }
    return undoSession(this.#workspace, session, to, force);
  }

  /** A parked turn is not busy: nothing happens until somebody answers. */
  #isBusy(session: string): boolean {
    const state = this.#workspace.journal.state(session);
    if (!state.turn) return state.queue.length > 0;
    return pendingApprovals(state).length === 0 || this.#scheduler.isWorking(session);
  }

  /** The session as text, line by line: see `exportSession` and `markdownTranscript`. */
  export(session: string, format: ExportFormat = "jsonl"): Generator<string> {
    return (format === "jsonl" ? exportSession : markdownTranscript)(this.#workspace, this.get(session));
  }

  list(): SessionInfo[] {
    return this.#workspace.journal.sessions().map((row) => this.#info(row));
  }

  get(session: string): SessionInfo {
    return this.#info(this.#workspace.journal.session(session));
  }

  /** Sets the title, or the model from the next turn on. */
  change(session: string, change: { readonly title?: string; readonly model?: string }): SessionInfo {
    this.#workspace.journal.session(session);
    this.#workspace.journal.append(session, [{ type: "session-change", ...change }]);
    return this.get(session);
  }

  /**
   * Accepts a prompt. It is durable when this returns. The same id with the same input is accepted once; with other input
   * it is `operation-conflict`. Throws `prompt-empty`, `prompt-too-large`, and `session-busy` for `whenBusy: "reject"`.
   */
  async submit(session: string, input: string | readonly InputPart[], options: SubmitOptions = {}): Promise<Receipt> {
    const { operationId = crypto.randomUUID(), whenBusy = "followUp" } = options;
    const { journal, storage } = this.#workspace;
    const parts = checkPrompt(input);
    const state = journal.state(session);
    const hash = sha256(JSON.stringify(parts));
    this.#refuseSecret("an operation id", operationId);
    const known = journal.inputHash(session, operationId);
    if (known !== undefined && known !== hash) throw new TenrecError("operation-conflict", { operationId });
    if (known === undefined) {
      if (whenBusy === "reject" && (state.turn || state.queue.length > 0)) {
        throw new TenrecError("session-busy", { session });
      }
      const events = storage.transactionSync(() => {
        journal.addOperation(session, operationId, hash);
        return journal.write(session, [{ type: "input", operationId, parts, whenBusy }]);
      });
      journal.publish(events);
    }
    // Also for a repeated one: the first may have failed between being stored and being scheduled.
    if (journal.state(session).open.has(operationId)) await this.#scheduler.schedule(session);
    return { session, operationId, accepted: known === undefined };
  }

  status(session: string, operationId: string): OperationStatus {
    const status = this.#workspace.journal.operation(session, operationId);
    if (!status) throw new TenrecError("operation-not-found", { session, operationId });
    return status;
  }

  /**
   * Stops one operation, or all of the session, queued ones too. False when there was nothing to stop. A prompt that steers
   * is dropped alone as long as the model has not seen it; after that it is a part of its turn, which stops.
   */
  async abort(session: string, operationId?: string): Promise<boolean> {
    const { journal } = this.#workspace;
    const { open } = journal.state(session);
    if (operationId === undefined ? open.size === 0 : !open.has(operationId)) return false;
    journal.append(session, [{ type: "abort", ...(operationId === undefined ? {} : { operationId }) }]);
    if (journal.state(session).turn?.aborted) this.#scheduler.interrupt(session, "the user stopped the turn");
    await this.#scheduler.schedule(session);
    return true;
  }

  /**
   * Answers a question. Once: a second answer, or one after its time, is `approval-answered`, one to other arguments
   * `approval-mismatch`, an unknown id `approval-not-found`.
   */
  async answer(session: string, approvalId: string, answer: ApprovalAnswer): Promise<void> {
    try {
      answerApproval(this.#workspace, session, approvalId, answer);
    } finally {
      // Also for one that came too late: the turn goes on with the refusal.
      await this.#scheduler.schedule(session);
    }
  }

  /** Starts the conversation anew; files stay. Refused with `session-busy` while a turn runs. */
  reset(session: string, handoff?: string): void {
    const { journal } = this.#workspace;
    if (journal.state(session).turn) throw new TenrecError("session-busy", { session });
    if (handoff !== undefined) checkPrompt(handoff);
    journal.append(session, [{ type: "reset", ...(handoff === undefined ? {} : { handoff }) }]);
  }

  /** What has been spent: by the turn that runs, by the session, and by all sessions that the workspace ever had. */
  spent(session: string): SpentByScope {
    const { journal } = this.#workspace;
    const { turn, spent } = journal.state(session);
    return { ...(turn ? { turn: turn.spent } : {}), session: spent, workspace: journal.spent() };
  }

  pending(session: string): PendingApproval[] {
    return pendingApprovals(this.#workspace.journal.state(session));
  }

  /** Durable events after `after`, at most `limit` of them. */
  history(session: string, after = 0, limit = 1000): DurableEvent[] {
    this.#workspace.journal.session(session);
    return this.#workspace.journal.events(session, after, limit);
  }

  snapshot(session: string): SessionSnapshot {
    const state = this.#workspace.journal.state(session);
    const operations = [...state.open.values()];
    return { session: this.get(session), operations, approvals: pendingApprovals(state) };
  }

  /** Names are stored as they are: with something else in their place, nobody would find them. */
  #refuseSecret(what: string, name: string): void {
    if (this.#workspace.redactor.text(name) === name) return;
    throw new TenrecError("request-invalid", { reason: `${what} must not be a secret; choose another` });
  }

  #info(row: SessionRow): SessionInfo {
    const { journal, trees, config } = this.#workspace;
    const state = journal.state(row.id);
    return {
      id: row.id,
      title: state.title ?? titleOf(journal.events(row.id, 0, 10)),
      ...(row.parent === null ? {} : { parent: row.parent }),
      createdAt: row.created_at,
      state: runState(state),
      lastSeq: state.lastSeq,
      model: state.model ?? config.model,
      tree: trees.head(row.head),
    };
  }
}

function runState(state: SessionState): SessionInfo["state"] {
  if (pendingApprovals(state).length > 0) return "waiting";
  return state.turn || state.queue.length > 0 ? "running" : "idle";
}

/** The first words that a person wrote. */
function titleOf(events: readonly DurableEvent[]): string {
  for (const event of events) {
    const text = event.type === "input" ? event.parts.find((part) => part.type === "text")?.text : undefined;
    if (text !== undefined) return text.trim().split("\n")[0]?.slice(0, 80) ?? "";
  }
  return "New session";
}
