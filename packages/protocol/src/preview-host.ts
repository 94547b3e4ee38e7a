import type { FileSystem } from "./file-system.ts";

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
  /** Where a browser can open it. */
  readonly url: string;
}

/** Shows the app in a tree, live. */
export interface PreviewHost {
  /** Cheap: nothing is built or loaded before the first request. The same tree of a session gives the same preview. */
  open(request: PreviewRequest): Promise<Preview>;
  /** Answers a request as the app would. A build that fails is a response with status 500 and the errors, not a throw. */
  fetch(id: string, request: Request): Promise<Response>;
  /** The id is not served any more. Safe to call twice. */
  close(id: string): Promise<void>;
}
