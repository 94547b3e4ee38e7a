import type { FileDiff } from "./session.ts";

/** A name and an address in commits. */
export interface GitIdentity {
  readonly name: string;
  readonly email: string;
}

/** Who did something, and when. */
export interface GitStamp extends GitIdentity {
  /** Seconds since the epoch. */
  readonly timestamp: number;
  /** Minutes west of UTC. */
  readonly timezoneOffset: number;
}

export interface GitCommitData {
  readonly oid: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: GitStamp;
  readonly committer: GitStamp;
  readonly message: string;
}

/** A file that a commit, the index or the work tree has. */
export interface GitFile {
  /** Git's mode: 0o100644, 0o100755, 0o120000 for a link, 0o160000 for a submodule. */
  readonly mode: number;
  readonly oid: string;
}

export interface GitRefData {
  /** In full, such as `refs/heads/main`. */
  readonly name: string;
  readonly oid: string;
}

/** One side of a difference: what the next commit has, the files as they are, or a commit. */
export type GitDiffSide = "index" | "work" | "nothing" | { readonly commit: string };

/** A line of a `.gitignore`. */
export interface GitIgnoreRule {
  /** The tree path of the file. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** As it is written. */
  readonly rule: string;
  /** False for one that begins with `!`. */
  readonly isIgnored: boolean;
}

/** How lines are compared and shown. */
export interface GitDiffForm {
  /** Lines around a change; default 3. */
  readonly context?: number;
  /** Blanks that do not count: all, how many there are, or those at the end of a line. */
  readonly ignoreSpace?: "all" | "amount" | "end";
}

/** A path that is not the same in the last commit, the index and the work tree. */
export interface GitPathStatus {
  /** A tree path. */
  readonly path: string;
  readonly staged?: "create" | "modify" | "delete";
  readonly unstaged?: "create" | "modify" | "delete" | "untracked";
  readonly unmerged?: true;
}

/** What a file with conflicts is in the common ancestor, on our side and on theirs. */
export type GitStages = readonly [base: GitFile | undefined, ours: GitFile | undefined, theirs: GitFile | undefined];

export interface GitWorkStatus {
  /** Absent when `HEAD` is a commit. */
  readonly branch?: string;
  /** Absent before the first commit. */
  readonly commit?: string;
  readonly merging?: string;
  readonly entries: readonly GitPathStatus[];
}

export interface GitRemoteBranch {
  readonly remote?: string;
  readonly branch?: string;
}

/**
 * The repository of a tree, for one call: what it changes is committed with the call's tree. Paths are tree paths unless said
 * otherwise. Failures are `TenrecError`s with a code of git, `request-invalid` or `not-configured`; an operation that fails
 * changes nothing.
 */
export interface GitRepository {
  /** The time that a commit would get, in seconds since the epoch. */
  now(): number;
  init(branch?: string): Promise<void>;
  clone(options: {
    readonly url: string;
    readonly branch?: string;
    readonly depth?: number | "full";
    readonly singleBranch?: boolean;
  }): Promise<{ readonly branch?: string; readonly commit?: string }>;
  /** `git-not-found` where there is no repository. */
  status(): Promise<GitWorkStatus>;
  /** What is not tracked because it is ignored, by path without a leading `/`; that of a folder ends with one. */
  ignored(): Promise<ReadonlySet<string>>;
  /** Files that a merge left with conflicts, by path without a leading `/`, sorted. */
  unmerged(): Promise<ReadonlyMap<string, GitStages>>;
  /** A file that differs in what does not count is there with an empty patch. */
  diff(options: GitDiffForm & { readonly from: GitDiffSide; readonly to: GitDiffSide }): Promise<FileDiff[]>;
  /** Files by path without a leading `/`; those of the work tree are the tracked ones and those that nothing ignores. */
  files(side: GitDiffSide): Promise<ReadonlyMap<string, GitFile>>;
  /** Ids of a commit's folders, by path without a leading `/`; its own is "". */
  folders(commit: string): Promise<ReadonlyMap<string, string>>;
  /** What is said of a tree path that is not tracked; with a `/` at its end it is taken for a folder. */
  ignoredBy(path: string): Promise<GitIgnoreRule | undefined>;
  /** The content of a file's object; the caller owns it. */
  readBlob(oid: string): Promise<Uint8Array>;
  /** The commit that a name, an abbreviated id, or either with `~` and `^` behind it means; undefined for none. */
  commitAt(name: string): Promise<GitCommitData | undefined>;
  /** Branches, branches of remotes, and tags; by name. */
  refs(): Promise<readonly GitRefData[]>;
  /** Sets a branch, a tag or `refs/stash` to a commit, or removes it. */
  setRef(name: string, oid: string | undefined): Promise<void>;
  add(paths: readonly string[]): Promise<readonly string[]>;
  /** Takes files out of the next commit, and leaves them where they are. */
  untrack(paths: readonly string[]): Promise<void>;
  unstage(paths: readonly string[]): Promise<void>;
  /** The new commit's id. `amend` replaces the last one, with its author and, without a message, its message. */
  commit(options: {
    readonly message: string;
    /** With the time, if that is another one than now. */
    readonly author?: GitIdentity & Partial<Pick<GitStamp, "timestamp" | "timezoneOffset">>;
    /** Default: that of the repository, or else the author. */
    readonly committer?: GitIdentity;
    readonly allowEmpty?: boolean;
    readonly amend?: boolean;
  }): Promise<string>;
  createBranch(name: string, from?: string): Promise<string>;
  removeBranch(name: string): Promise<void>;
  checkout(
    name: string,
    options?: { readonly create?: boolean; readonly from?: string; readonly force?: boolean },
  ): Promise<string>;
  /** Moves the current branch and makes index and files those of the commit. */
  reset(commit: string, options?: { readonly force?: boolean }): Promise<string>;
  /** Moves the current branch, or `HEAD`, and nothing else; a merge that waits for its commit waits no more. */
  moveHead(commit: string): Promise<void>;
  merge(
    commit: string,
    options?: {
      readonly message?: string;
      readonly conflicts?: "refuse" | "keep";
      /** A merge commit where the branch could be moved on, too. */
      readonly noFastForward?: boolean;
      /** What conflicts call the other side; default: the commit as it was named. */
      readonly label?: string;
    },
  ): Promise<{ readonly kind: string; readonly commit: string }>;
  /**
   * Makes the change between two commits again, on what is checked out: in the index and the work tree, for the next
   * commit. Without `from`, all of `to`. `git-conflict`, with nothing changed, where both did something in one place.
   */
  pickChange(from: string | undefined, to: string): Promise<void>;
  /** A value of the repository's own configuration, such as `user.name`. */
  config(key: string): Promise<string | undefined>;
  setConfig(key: string, value: string | undefined): Promise<void>;
  remotes(): Promise<readonly { readonly name: string; readonly url: string }[]>;
  addRemote(name: string, url: string): Promise<void>;
  removeRemote(name: string): Promise<void>;
  fetch(options?: GitRemoteBranch): Promise<unknown>;
  pull(options?: GitRemoteBranch): Promise<{ readonly kind: string; readonly commit: string }>;
  /** Awaits the host's leave before anything is sent. */
  push(options?: {
    readonly remote?: string;
    readonly branch?: string;
    readonly to?: string;
    readonly force?: boolean;
  }): Promise<{ readonly ref: string; readonly before?: string; readonly after: string }>;
}
