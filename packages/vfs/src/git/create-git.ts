import type { FileDiff, FileSystem, GitRepository } from "@tenrec/protocol";
import * as branching from "./branches.ts";
import { clone, type Cloned, type CloneOptions } from "./clone.ts";
import { createContext } from "./context.ts";
import { diff, type DiffOptions } from "./diff-files.ts";
import { fetch, type Fetched, type FetchOptions } from "./fetch.ts";
import { runGit } from "./git-error.ts";
import { createGitFileSystem } from "./git-file-system.ts";
import type { GitEffect, GitOptions } from "./git-options.ts";
import { type GitCommit, log, type LogOptions, readFileAt } from "./history.ts";
import { ignoredBy } from "./ignored-by.ts";
import { type CommitOptions, makeCommit, moveHead } from "./make-commit.ts";
import { merge, type Merged, type MergeOptions, pull, type PullOptions } from "./merge.ts";
import { endMerge } from "./merge-head.ts";
import { pickChange } from "./pick-change.ts";
import { outcomeOf, push, type Pushed, type PushOptions, type PushOutcome } from "./push.ts";
import { addRemote, type GitRemote, init, remotes, removeRemote } from "./remotes.ts";
import * as data from "./repository-data.ts";
import { resolveCommit } from "./refs.ts";
import { add, unstage, untrack } from "./stage-files.ts";
import { type GitStatus, status } from "./status.ts";

/** The operations of git; see the files that are named after them for what they do and refuse. Paths are those of the tree. */
export interface Git extends GitRepository {
  init(branch?: string): Promise<void>;
  clone(options: CloneOptions): Promise<Cloned>;
  status(): Promise<GitStatus>;
  diff(options?: DiffOptions): Promise<FileDiff[]>;
  log(options?: LogOptions): Promise<GitCommit[]>;
  /** A file of a commit; the caller owns it. */
  readFile(commit: string, path: string): Promise<Uint8Array>;
  add(paths: readonly string[]): Promise<readonly string[]>;
  unstage(paths: readonly string[]): Promise<void>;
  commit(options: CommitOptions): Promise<string>;
  branches(): Promise<branching.GitBranches>;
  createBranch(name: string, from?: string): Promise<string>;
  removeBranch(name: string): Promise<void>;
  checkout(name: string, options?: branching.CheckoutOptions): Promise<string>;
  reset(commit: string, options?: { readonly force?: boolean }): Promise<string>;
  merge(commit: string, options?: MergeOptions): Promise<Merged>;
  remotes(): Promise<readonly GitRemote[]>;
  addRemote(name: string, url: string): Promise<void>;
  removeRemote(name: string): Promise<void>;
  fetch(options?: FetchOptions): Promise<Fetched>;
  pull(options?: PullOptions): Promise<Merged & { readonly fetched: Fetched }>;
  push(options?: PushOptions): Promise<Pushed>;
  outcomeOf(effect: GitEffect): Promise<PushOutcome>;
  /** Stores large contents ahead of `rows`, so that the transaction is short. No ref changes. */
  prepare(): Promise<void>;
  /**
   * Writes everything that the operations changed in `.git`: to be called in the transaction that commits the tree.
   * `tree-conflict` when another call has changed the same refs or the index in the meantime. Twice is as good as once.
   */
  rows(): void;
  /** The work tree with its `.git`, for code that is written for a `FileSystem`. Never for tools. */
  readonly fileSystem: FileSystem;
}

/**
 * Git for one call: it works on the overlay of that call, and keeps what it changes in `.git` until `rows`. An operation
 * that fails changes neither, whatever it did before; to give up, let go of both. One operation at a time.
 */
export function createGit(options: GitOptions): Git {
  const context = createContext(options);
  const run = <T>(what: string, operation: () => Promise<T>): Promise<T> => runGit(context, what, operation);
  return {
    now: () => Math.floor(context.now() / 1000),
    init: (branch) => run("init", () => init(context, branch)),
    clone: (asked) => run("clone", () => clone(context, asked)),
    status: () => run("status", () => status(context)),
    diff: (asked) => run("diff", () => diff(context, asked)),
    log: (asked) => run("log", () => log(context, asked)),
    readFile: (commit, path) => run("show", () => readFileAt(context, commit, path)),
    add: (paths) => run("add", () => add(context, paths)),
    unstage: (paths) => run("unstage", () => unstage(context, paths)),
    untrack: (paths) => run("rm", () => untrack(context, paths)),
    commit: (asked) => run("commit", () => makeCommit(context, asked)),
    branches: () => run("branch", () => branching.branches(context)),
    createBranch: (name, from) => run("branch", () => branching.createBranch(context, name, from)),
    removeBranch: (name) => run("branch", () => branching.removeBranch(context, name)),
    checkout: (name, asked) => run("checkout", () => branching.checkout(context, name, asked)),
    reset: (commit, asked) => run("reset", () => branching.resetTo(context, commit, asked?.force ?? false)),
    merge: (commit, asked) => run("merge", () => merge(context, commit, asked)),
    remotes: () => run("remote", () => remotes(context)),
    addRemote: (name, url) => run("remote", () => addRemote(context, name, url)),
    removeRemote: (name) => run("remote", () => removeRemote(context, name)),
    fetch: (asked) => run("fetch", () => fetch(context, asked)),
    pull: (asked) => run("pull", () => pull(context, asked)),
    push: (asked) => run("push", () => push(context, asked)),
    outcomeOf: (effect) => run("push", () => outcomeOf(context, effect)),
    prepare: () => context.files.store(),
    rows: () => context.files.apply(),
    files: (side) => run("ls-files", () => data.filesOf(context, side)),
    ignored: () => run("status", () => data.ignoredPaths(context)),
    unmerged: () => run("status", async () => data.unmergedFiles(context)),
    folders: (commit) => run("ls-tree", () => data.foldersOf(context, commit)),
    ignoredBy: (path) => run("check-ignore", () => ignoredBy(context, path)),
    pickChange: (from, to) => run("cherry-pick", () => pickChange(context, from, to)),
    readBlob: (oid) => run("show", () => data.readBlob(context, oid)),
    commitAt: (name) => run("rev-parse", () => data.commitAt(context, name)),
    refs: () => run("show-ref", () => data.allRefs(context)),
    setRef: (name, oid) => run("update-ref", () => data.setRef(context, name, oid)),
    moveHead: (commit) =>
      run("reset", async () => {
        await moveHead(context, await resolveCommit(context, commit));
        endMerge(context);
      }),
    config: (key) => run("config", () => data.readConfig(context, key)),
    setConfig: (key, value) => run("config", () => data.writeConfig(context, key, value)),
    fileSystem: createGitFileSystem(options.overlay, context.files),
  };
}
