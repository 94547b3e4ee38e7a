import { setImmediate } from "node:timers/promises";
import { TenrecError } from "@tenrec/protocol";
import type { PromiseFsClient } from "isomorphic-git";
import { checkLimit } from "../check-limit.ts";
import { overlayState } from "../overlay/overlay.ts";
import type { FreshFile, OverlayState } from "../overlay/state.ts";
import type { SqlLike } from "../sql.ts";
import { checkPack, checkPackIndex } from "./check-pack.ts";
import { createGitFileSystem } from "./git-file-system.ts";
import type { GitFiles } from "./git-files.ts";
import { createGitFs, type GitFsHooks } from "./git-fs.ts";
import { ObjectReader } from "./object-reader.ts";
import { DEFAULT_LIMITS, type GitLimits, type GitOptions, type GitProgress } from "./git-options.ts";

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
  /** Steps of work since others could run. */
  unyielded: number;
  /** Objects of the pack that was written last. */
  packed: number;
}

/** Some 10 ms of work: a clock would not do, since it stands still in a Worker that waits for nothing. */
const STEPS_BETWEEN_YIELDS = 200;
const PHASES = ["Receiving objects", "Resolving deltas"];
const BYTES_PER_STEP = 16 * 1024;

export function createContext(options: GitOptions): GitContext {
  const { store, repository, overlay } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  for (const [name, limit] of Object.entries(limits)) checkLimit(name, limit);
  const files = store.open(repository);
  const hooks: GitFsHooks = {
    before: () => checkGoingOn(context),
    onFailure: (error) => {
      context.failure ??= error instanceof TenrecError ? error : storageError(error);
    },
    onWrite: async (path, bytes) => {
      if (path.startsWith("/.git/objects/pack/")) await checkPackFile(context, path, bytes);
    },
  };
  const fs = createGitFs(createGitFileSystem(overlay, files), hooks);
  const context: GitContext = {
    options,
    limits,
    now: overlayState(overlay).now,
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

async function checkPackFile(context: GitContext, path: string, bytes: Uint8Array): Promise<void> {
  const pause = (size: number): Promise<void> => breathe(context, size);
  if (path.endsWith(".pack")) context.packed = await checkPack(bytes, context.limits, pause);
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

/** Lets others run every now and then, and throws once the operation was stopped. For loops: a call is a step of work. */
export async function breathe(context: GitContext, bytes = 0): Promise<void> {
  context.unyielded += 1 + bytes / BYTES_PER_STEP;
  if (context.unyielded < STEPS_BETWEEN_YIELDS) return;
  context.unyielded = 0;
  await setImmediate();
  checkGoingOn(context);
}

/** Tells the caller how far it is. */
export function report(context: GitContext, phase: string, loaded: number, total?: number): void {
  context.options.onProgress?.({ phase, loaded, ...(total === undefined ? {} : { total }) });
}

/**
 * For the long work of isomorphic-git, which awaits it at every percent. It is told of the server's own phases too, whose
 * names are anybody's.
 */
export function progressOf(context: GitContext): (progress: GitProgress) => Promise<void> {
  return async ({ phase, loaded, total }) => {
    checkGoingOn(context);
    if (PHASES.includes(phase)) report(context, phase.toLowerCase(), loaded, total);
    await setImmediate();
  };
}
