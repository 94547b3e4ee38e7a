/** What the server's process is told, once. */
export interface ToServer {
  /** Path of `wrangler.jsonc`. */
  readonly config: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Folder for the objects' storage. */
  readonly state: string;
  /** Secrets of the Worker, beside those in `.dev.vars`. */
  readonly variables: Readonly<Record<string, string>>;
  /** How long an answer may take, in milliseconds; after three that took longer, workerd is started again. Default: 10,000. */
  readonly patience?: number;
}

export type FromServer =
  | { readonly type: "ready"; readonly port: number }
  | { readonly type: "restarted" }
  | { readonly type: "failed"; readonly message: string };
