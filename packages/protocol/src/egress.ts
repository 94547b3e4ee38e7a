/** A request that leaves for the internet. */
export interface EgressRequest {
  /** `http:` or `https:`, without a user name or a password in it. */
  readonly url: string;
  /** Default: `GET`. */
  readonly method?: string;
  /** Of these, only what describes the body or the answer goes with a redirect to another origin. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Redirects that are followed; one more is refused. With 0, an answer that redirects is the answer. Default: 10. */
  readonly maxRedirects?: number;
  /** Most bytes of the answer's body, counted as they are read, after they were unpacked. */
  readonly maxBytes: number;
  /** Milliseconds for all of it, reading the body included. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** The command of a shell that asks, such as `curl`: of the rules for commands, those for it count. */
  readonly by?: string;
  /**
   * Called when nothing stands against the request any more, right before it goes out, and again before each redirect is
   * followed. What it throws ends the request.
   */
  readonly onSend?: (target: string) => void;
}

/** An answer that sent the request elsewhere. */
export interface EgressRedirect {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  /** To which address. */
  readonly url: string;
}

export interface EgressResponse {
  /** The address that answered, after redirects. */
  readonly url: string;
  readonly redirects: readonly EgressRedirect[];
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  /**
   * To be read once. Throws `response-too-large` instead of passing on the piece that is too much, `fetch-failed` where the
   * connection broke, `timeout`, or `signal.reason` on abort. Who does not read it to its end calls `return` on it.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * The one way out, for whatever a model or the code it wrote asks for: tools, previews, executors. Reaches no address that is
 * not public, in whatever spelling, and only what the policy allows, at each redirect anew.
 */
export interface Egress {
  /**
   * Resolves with any answer, whatever its status. Throws `egress-refused` for an address that is never reached,
   * `permission-denied` or `approval-required` as a `Gate` does, `fetch-failed` where nobody answers, `timeout`, or
   * `signal.reason` on abort. Nothing went out when the first address is refused.
   */
  fetch(request: EgressRequest): Promise<EgressResponse>;
}
