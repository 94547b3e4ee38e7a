import { setImmediate } from "node:timers/promises";
import { TenrecError } from "@tenrec/protocol";
import type { PromiseFsClient } from "isomorphic-git";
import { overlayState } from "../overlay/overlay.ts";
import type { FreshFile, OverlayState } from "../overlay/state.ts";
import type { SqlLike } from "../sql.ts";
import { checkPack, checkPackIndex } from "./check-pack.ts";
import { createGitFileSystem } from "./git-file-system.ts";
import type { GitFiles } from "./git-files.ts";
import { createGitFs, type GitFsHooks } from "./git-fs.ts";
import { ObjectReader } from "./object-reader.ts";
import { DEFAULT_LIMITS, type GitLimits, type GitOptions } from "./git-options.ts";

/** How isomorphic-git is told which repository is meant. */
interface RepositoryArguments {
  readonly fs: PromiseFsClient;
  readonly dir: string;
  readonly gitdir: string;
  readonly cache: object;
}

/** What every operation works on. */
export interface GitContext {
  readonly options: GitOptions;
  readonly limits: GitLimits;
  readonly now: () => number;
  readonly sql: SqlLike;
  readonly files: GitFiles;
  readonly state: OverlayState;
  readonly repo: RepositoryArguments;
  /** What watches over isomorphic-git, whatever file system it is given. */
  readonly hooks: GitFsHooks;
  readonly objects: ObjectReader;
  /** Object names of files that were written here. */
  readonly freshOids: WeakMap<FreshFile, string>;
  /** Set by a port when it refuses something: isomorphic-git may show it as another error, or as none. */
  failure: TenrecError | undefined;
  unyielded: number;
  /** Objects of the pack that was written last. */
  packed: number;
}

const YIELD_MS = 10;

export function createContext(options: GitOptions): GitContext {
  const { store, repository, overlay } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const files = store.open(repository);
  const hooks: GitFsHooks = {
    before: () => checkGoingOn(context),
    onFailure: (error) => {
      context.failure ??= error instanceof TenrecError ? error : storageError(error);
    },
    onWrite: (path, bytes) => {
      if (path.startsWith("/.git/objects/pack/")) guard(context, () => checkPackFile(context, path, bytes));
    },
  };
  const fs = createGitFs(createGitFileSystem(overlay, files), hooks);
  const context: GitContext = {
    options,
    limits,
    now: () => options.clock?.now() ?? overlayState(overlay).now(),
    sql: store.sql,
    files,
    state: overlayState(overlay),
    objects: new ObjectReader(files),
    hooks,
    repo: { fs, dir: "/", gitdir: "/.git", cache: {} },
    freshOids: new WeakMap(),
    failure: undefined,
    unyielded: 0,
    packed: 0,
  };
  return context;
}

function storageError(error: unknown): TenrecError<"EIO"> {
  const reason = error instanceof Error ? error.message : String(error);
  return new TenrecError("EIO", { path: "/.git", reason });
}

function checkPackFile(context: GitContext, path: string, bytes: Uint8Array): void {
  if (path.endsWith(".pack")) context.packed = checkPack(bytes, context.limits);
  // The index is made of the pack that was written just before it.
  if (path.endsWith(".idx")) checkPackIndex(bytes, context.packed);
}

/** Remembers a refusal, so that it is what the operation fails with, whatever the library makes of it. */
export function guard<T>(context: GitContext, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof TenrecError) context.failure ??= error;
    throw error;
  }
}

/** Throws once the operation was stopped or refused. */
function checkGoingOn(context: GitContext): void {
  if (context.failure) throw context.failure;
  const { signal } = context.options;
  if (signal?.aborted) throw new TenrecError("aborted", { reason: reasonOf(signal) });
}

function reasonOf(signal: AbortSignal): string {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason.message : String(reason);
}

/** Lets others run every now and then, and throws once the operation was stopped. For loops. */
export async function breathe(context: GitContext): Promise<void> {
  const now = performance.now();
  if (now - context.unyielded < YIELD_MS) return;
  await setImmediate();
  context.unyielded = performance.now();
  checkGoingOn(context);
}

/** Tells the caller how far it is. */
export function report(context: GitContext, phase: string, loaded: number, total?: number): void {
  context.options.onProgress?.({ phase, loaded, ...(total === undefined ? {} : { total }) });
}
