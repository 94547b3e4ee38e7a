/** What an answer must be, and what a text must be: it itself, or as a pattern says. */
export type Wanted = string | RegExp;

/** A request and its answer. */
export interface HttpCheck {
  /** Path, or method and path: `/`, `POST /items`. */
  readonly ask: string;
  /** Default: `ask`. */
  readonly name?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** At most one of these is the body. */
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: string;
  /** Fields of a `multipart/form-data`; a file has a name and a type. */
  readonly parts?: Readonly<
    Record<string, string | { readonly name: string; readonly type: string; readonly content: string }>
  >;
  readonly status: number;
  /** `null` for a header that must not be there. Those that are not named are compared, too. */
  readonly gives?: Readonly<Record<string, Wanted | null>>;
  /** The whole body as text; of what is no text, as hex digits. */
  readonly text?: Wanted;
  /** The body as JSON. */
  readonly is?: unknown;
  /** Headers that tell nothing of the app and differ: they are left out of the comparison. */
  readonly varying?: readonly string[];
  /** What in the body is another one each time: both hosts' are compared without. */
  readonly varies?: RegExp;
  /** Asked again until it is as wanted: for what happens a moment later. */
  readonly eventually?: true;
  /** Both have to be as wanted and are not compared: for the pages of Vite, which are other files when they are built. */
  readonly apart?: true;
}

/** One thing that happens on open connections, which have names. */
export type Step =
  /** Opens a WebSocket. */
  | { readonly socket: string; readonly path: string }
  /** Reads an answer while it is being sent. */
  | { readonly stream: string; readonly path: string }
  | { readonly send: string; readonly data: string | readonly number[] }
  /** The next message of a socket, or text of a stream up to the end of this one. */
  | { readonly receive: string; readonly data: Wanted }
  | { readonly close: string; readonly code?: number; readonly reason?: string }
  /** That the other side closed it. */
  | { readonly closed: string; readonly code?: number; readonly reason?: string }
  /** A request meanwhile. */
  | HttpCheck;

/** Several connections at once. */
export interface ExchangeCheck {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** What is done with an app, in this order, and what must come of it on every host. */
export type Check = HttpCheck | ExchangeCheck;

export function nameOf(check: Check): string {
  return check.name ?? (check as HttpCheck).ask;
}
