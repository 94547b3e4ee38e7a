/** Where an app runs. */
export interface Host {
  readonly name: string;
  /** Where requests go: with a slash at the end. */
  readonly url: string;
  /** The `Host` header of requests, where it is not that of `url`. */
  readonly hostname?: string;
  /** Where WebSockets and streams are opened: with a slash at the end. */
  readonly socketUrl: string;
  /** What an app has set, by name, as a browser keeps it. */
  readonly cookies: Map<string, string>;
  stop(): Promise<void>;
}
