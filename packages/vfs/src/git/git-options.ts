import type { Overlay } from "../overlay/overlay.ts";
import type { GitCredentials } from "./credentials.ts";
import type { GitStore } from "./git-store.ts";

/** A name and an address in commits. */
export interface GitAuthor {
  readonly name: string;
  readonly email: string;
}

/** The part of `fetch` that is used; where an egress policy stands. Called with `redirect: "manual"` and a signal. */
export type GitFetch = (url: string, init: RequestInit) => Promise<Response>;

/** How far a long operation is. Texts of a server are cut and without control characters. */
export interface GitProgress {
  readonly phase: string;
  readonly loaded: number;
  /** Absent when nobody knows it. */
  readonly total?: number;
}

/** A push that is about to be sent: what the server has to have now, and what it gets. */
export interface GitEffect {
  readonly kind: "push";
  readonly url: string;
  /** Full name on the server, such as `refs/heads/main`. */
  readonly ref: string;
  /** Absent when the server has no such ref. */
  readonly before?: string;
  readonly after: string;
}

/** What a repository may take. */
export interface GitLimits {
  /** Bytes of one answer of a server, which is one pack and what comes with it; default 16 MiB. It is held in memory. */
  readonly maxPackBytes: number;
  /** Bytes of one object when it is unpacked; default 16 MiB. */
  readonly maxObjectBytes: number;
  /** Bytes of all objects of one pack when they are unpacked; default 512 MiB. */
  readonly maxUnpackedBytes: number;
  /** Objects of a pack, and files of a commit; default 100,000. */
  readonly maxEntries: number;
  /** Milliseconds for one request, its answer included; default two minutes. */
  readonly requestMs: number;
}

export const DEFAULT_LIMITS: GitLimits = {
  maxPackBytes: 16 * 1024 * 1024,
  maxObjectBytes: 16 * 1024 * 1024,
  maxUnpackedBytes: 512 * 1024 * 1024,
  maxEntries: 100_000,
  requestMs: 120_000,
};

export interface GitOptions {
  readonly store: GitStore;
  /** Name of the repository, usually that of the head. */
  readonly repository: string;
  /** The work tree. What git changes in it is committed by the caller. */
  readonly overlay: Overlay;
  /** Absent where there is no network: what needs it is `not-configured`. */
  readonly fetch?: GitFetch;
  readonly credentials?: GitCredentials;
  /** Who commits; commits without one are `not-configured`. */
  readonly author?: GitAuthor;
  readonly limits?: Partial<GitLimits>;
  /** Hosts, with their port, that may be spoken to without TLS, such as `localhost:8080`. */
  readonly insecureHosts?: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: GitProgress) => void;
  /** Awaited before a push is sent; what it throws ends the push before anything went out. */
  readonly onEffect?: (effect: GitEffect) => void | Promise<void>;
}
