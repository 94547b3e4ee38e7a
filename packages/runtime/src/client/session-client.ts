import type {
  ApprovalAnswer,
  DurableEvent,
  FileDiff,
  InputPart,
  OperationStatus,
  PendingApproval,
  Receipt,
  SessionInfo,
  SessionPoint,
  SessionSnapshot,
  SpentByScope,
  SubmitOptions,
  TenrecEvent,
  Undone,
  UndoOptions,
  WatchFrame,
} from "@tenrec/protocol";
import type { FileInfo, FileText } from "../files.ts";
import type { PreviewPlaces } from "../preview/preview-places.ts";
import type { ExportFormat } from "../sessions.ts";
import { call, type Connection, request } from "./call.ts";
import { watchFrames } from "./watch.ts";

/** Addresses of a preview for a browser. */
export interface PreviewLinks {
  /** On the agent's own host: pages run in an opaque origin, without storage, and absolute paths lead elsewhere. */
  readonly url: string;
  /**
   * On a host that is not the agent's: absolute paths and storage work. Absent outside of development where
   * `TENREC_PREVIEW_HOST` names none.
   */
  readonly host?: string;
  /** Until when they are good, in milliseconds since the epoch; asking again makes them good for longer. */
  readonly expires: number;
}

export interface WatchOptions {
  /** Events after this `seq`; default 0, all of them. */
  readonly after?: number;
  readonly signal?: AbortSignal;
  /** Called with the session's state at each connection, before the events. */
  readonly onSnapshot?: (snapshot: SessionSnapshot) => void;
  /** Called when a connection was lost or could not be made; the next one is tried after a while. */
  readonly onDisconnect?: () => void;
}

/** One session of an agent, from anywhere. */
export interface SessionClient {
  readonly id: string;
  submit(input: string | readonly InputPart[], options?: SubmitOptions): Promise<Receipt>;
  /** Resolves when the operation is done, stopped, or waits for an approval. */
  wait(operationId: string, options?: { signal?: AbortSignal }): Promise<OperationStatus>;
  abort(operationId?: string): Promise<boolean>;
  answer(approvalId: string, answer: ApprovalAnswer): Promise<void>;
  pending(): Promise<PendingApproval[]>;
  /** What counts against the caps of the budget. */
  spent(): Promise<SpentByScope>;
  history(after?: number): Promise<DurableEvent[]>;
  /** Every event once, in order, through lost connections; ends when the signal aborts or the loop is left. */
  watch(options?: WatchOptions): AsyncIterable<TenrecEvent>;
  info(): Promise<SessionInfo>;
  change(change: { title?: string; model?: string }): Promise<SessionInfo>;
  reset(handoff?: string): Promise<void>;
  /** Goes back to a moment, in conversation and files together: `{ turn: 3 }` takes back turn 3 and what followed. */
  undo(to: SessionPoint, options?: UndoOptions): Promise<Undone>;
  /**
   * Where the app in its files can be seen, as they are at each time, or as they were after a turn. The addresses stay the same
   * for two weeks at least, and whoever has one may look.
   */
  preview(options?: { readonly turn?: number }): Promise<PreviewLinks>;
  /** Ends the addresses of a turn, or, without one, all of the session; pages that are open end. Resolves with how many. */
  revokePreview(options?: { readonly turn?: number }): Promise<number>;
  /** Deletes it, with its history and all that only it has. */
  delete(): Promise<void>;
  /** All of its events as JSON lines, or what was said as Markdown for people to read. */
  export(format?: ExportFormat): Promise<ReadableStream<Uint8Array>>;
  readonly files: {
    list(): Promise<FileInfo[]>;
    read(path: string): Promise<FileText>;
    /** What a turn changed; without one, everything since the first turn began. */
    diff(turn?: number): Promise<FileDiff[]>;
    /** Adds the files of a tar, tar.gz or zip archive. */
    import(archive: ReadableStream<Uint8Array>): Promise<{ tree: string; files: number }>;
    /** All files as an archive; default: tar. */
    export(format?: ArchiveFormat): Promise<ReadableStream<Uint8Array>>;
  };
}

/** Formats in which a session's files come and go. */
export type ArchiveFormat = "tar" | "tar.gz" | "zip";

async function* events(connection: Connection, session: string, options: WatchOptions): AsyncIterable<TenrecEvent> {
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  let waiting: TenrecEvent[] = [];
  let wake = (): void => {};
  let over = false;
  const onFrame = (frame: WatchFrame): void => {
    if (frame.type === "snapshot") options.onSnapshot?.(frame.snapshot);
    else if (frame.type === "event") waiting.push(frame.event);
    wake();
  };
  const onDisconnect = (): void => options.onDisconnect?.();
  const watching = watchFrames(connection, {
    session,
    after: options.after ?? 0,
    signal,
    onFrame,
    onDisconnect,
  }).finally(() => {
    over = true;
    wake();
  });
  // Awaited below; a watch that is left early must not report its end as unhandled.
  watching.catch(() => {});
  try {
    for (;;) {
      const batch = waiting;
      waiting = [];
      yield* batch;
      if (waiting.length > 0) continue;
      if (over) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    await watching;
  } finally {
    stop.abort();
  }
}

/** All events, page by page. */
async function wholeHistory(connection: Connection, session: string, after: number): Promise<DurableEvent[]> {
  const events: DurableEvent[] = [];
  for (let seq = after; ;) {
    const page = await call(connection, "history", { session, after: seq });
    events.push(...page);
    const last = page.at(-1);
    if (!last || last.seq === seq) return events;
    seq = last.seq;
  }
}

/** The client of one session. */
export function sessionClient(connection: Connection, id: string): SessionClient {
  const session = id;
  const tree = `tree?${new URLSearchParams({ session: id }).toString()}`;
  return {
    id,
    submit: (input, options = {}) => {
      const parts = typeof input === "string" ? input : [...input];
      return call(connection, "submit", { session, input: parts, ...options });
    },
    async wait(operationId, { signal } = {}) {
      for (;;) {
        const status = await call(connection, "wait", { session, operationId }, signal);
        if (status.status !== "queued" && status.status !== "running") return status;
      }
    },
    abort: (operationId) =>
      call(connection, "abort", { session, ...(operationId === undefined ? {} : { operationId }) }),
    async answer(approvalId, answer) {
      await call(connection, "answer", { session, approvalId, ...answer });
    },
    spent: () => call(connection, "spent", { session }),
    pending: () => call(connection, "pending", { session }),
    history: (after = 0) => wholeHistory(connection, session, after),
    watch: (options = {}) => events(connection, id, options),
    info: () => call(connection, "sessions.get", { session }),
    change: (change) => call(connection, "sessions.change", { session, ...change }),
    async reset(handoff) {
      await call(connection, "sessions.reset", { session, ...(handoff === undefined ? {} : { handoff }) });
    },
    async preview({ turn } = {}) {
      const query = new URLSearchParams({ session, ...(turn === undefined ? {} : { turn: `${turn}` }) });
      const answer = await request(connection, `preview-link?${query.toString()}`);
      const { path, ...rest } = (await answer.json()) as PreviewPlaces & { expires: number };
      return { url: new URL(connection.url).origin + path, ...rest };
    },
    revokePreview: ({ turn } = {}) =>
      call(connection, "previews.revoke", { session, ...(turn === undefined ? {} : { turn }) }),
    undo: (to, options = {}) => call(connection, "sessions.undo", { session, to, ...options }),
    async delete() {
      await call(connection, "sessions.delete", { session });
    },
    async export(format = "jsonl") {
      const path = `export?${new URLSearchParams({ session, format }).toString()}`;
      const { body } = await request(connection, path);
      return body ?? new ReadableStream<Uint8Array>();
    },
    files: {
      list: () => call(connection, "files.list", { session }),
      read: (path) => call(connection, "files.read", { session, path }),
      diff: (turn) => call(connection, "files.diff", { session, ...(turn === undefined ? {} : { turn }) }),
      async import(archive) {
        // Node's fetch asks for `duplex` with a streamed body; the DOM types do not know it yet.
        const init = { method: "PUT", body: archive, duplex: "half" } as RequestInit;
        return (await request(connection, tree, init)).json();
      },
      async export(format = "tar") {
        const { body } = await request(connection, `${tree}&format=${format}`);
        return body ?? new ReadableStream<Uint8Array>();
      },
    },
  };
}
