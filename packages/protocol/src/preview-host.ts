import type { PreviewEvent, WorkerUsageEvent } from "./events.ts";
import type { FileSystem } from "./file-system.ts";
import type { Json } from "./json.ts";

export interface PreviewRequest {
  readonly session: string;
  /** Root hash of the tree that `fs` reads; the preview of a hash never changes. */
  readonly tree: string;
  readonly fs: FileSystem;
  /**
   * Absolute paths of the files that differ from an earlier tree of the session, so that only these are read again; undefined
   * when that cannot be told. Absent where trees cannot be compared.
   */
  readonly changedSince?: (tree: string) => Promise<readonly string[] | undefined>;
}

export interface Preview {
  readonly id: string;
}

/** Something that a preview said, as it becomes a `preview` event. */
export interface PreviewReport {
  readonly session: string;
  readonly tree: string;
  readonly kind: Exclude<PreviewEvent["kind"], "ready">;
  readonly detail: Json;
}

/** A stack trace of a page, as far as its places could be found in the files. */
export interface LocatedStack {
  readonly stack: string;
  /** The first place in a file of the tree; absolute, line and column from 1. */
  readonly at?: { readonly path: string; readonly line: number; readonly column: number };
  /** The lines around it, with `>` before the one, for whoever has the page: absent where a browser is not given that file anyway. */
  readonly frame?: string;
}

/** A Dynamic Worker that is about to be loaded, as it becomes a `worker-usage` event. */
export type WorkerLoad = Omit<WorkerUsageEvent, "type"> & { readonly session: string };

/** What a host of previews tells, and asks, the object that it is in. No method may throw but `loading`. */
export interface PreviewListener {
  report(report: PreviewReport): void;
  /** Records the load. Throws `budget-exceeded` when it must not be. */
  loading(load: WorkerLoad): void;
  /** `runAlarms` is to be called at this time, in milliseconds since the epoch; undefined for never. Replaces what was said before. */
  alarm(time: number | undefined): void | Promise<void>;
  /** What to show of a session now; undefined for one that does not exist. Asked for when an app is woken by an alarm. */
  current(session: string): PreviewRequest | undefined;
}

/** Shows the app in a tree, live. */
export interface PreviewHost {
  /** Cheap: nothing is built or loaded before the first request. The same tree of a session gives the same preview. */
  open(request: PreviewRequest): Promise<Preview>;
  /** Answers a request as the app would. A build that fails is a response with status 500 and the errors, not a throw. */
  fetch(id: string, request: Request): Promise<Response>;
  /** The id is not served any more. Safe to call twice. */
  close(id: string): Promise<void>;
  /** From now on this listener is told, and no other. Absent where a host has nothing to tell. */
  listen?(listener: PreviewListener): void;
  /**
   * Finds the places of a stack trace that a browser wrote, with the paths of the app in place of addresses, such as
   * `at f (/src/main.ts:1:2)`. The text is a page's: it may be anything. Absent where that is not known.
   */
  locate?(id: string, stack: string): Promise<LocatedStack>;
  /** Runs what apps set alarms for and is due. Absent where apps have no alarms. */
  runAlarms?(): Promise<void>;
  /** Forgets a session and what its apps stored. Absent where nothing is stored. */
  remove?(session: string): Promise<void>;
  /** What an app of a session may call in the object that hosts it, as the object's RPC method `previewDoor` answers. */
  door?(session: string, app: string): object;
  /** Answers what an app asks the object for by `fetch`; undefined for a request that no app made. */
  gatewayFetch?(request: Request): Promise<Response | undefined>;
}
