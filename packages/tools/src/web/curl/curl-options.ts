/** A piece of the data that is sent. `file` is a path, or `-` for the standard input. */
export type DataPart =
  | { readonly text: string }
  | { readonly file: string; readonly as: "stripped" | "binary" | "encoded"; readonly name?: string };

/** What a command line of curl asks for. */
export interface CurlOptions {
  readonly urls: string[];
  /** Paths of `-o`, in order; `undefined` is one of `-O`. */
  readonly outputs: (string | undefined)[];
  readonly data: DataPart[];
  readonly forms: string[];
  /** As they were given: `Name: value`, `Name:`, `Name;` or `@file`. */
  readonly headers: string[];
  readonly flags: Set<CurlFlag>;
  readonly values: Map<CurlValue, string>;
}

export type CurlFlag =
  | "compressed"
  | "create-dirs"
  | "fail"
  | "fail-early"
  | "fail-with-body"
  | "get"
  | "globoff"
  | "head"
  | "help"
  | "include"
  | "insecure"
  | "json"
  | "location"
  | "remote-header-name"
  | "remote-name-all"
  | "retry-all-errors"
  | "retry-connrefused"
  | "show-error"
  | "silent"
  | "verbose"
  | "version"
  /** It changes what is seen or how bytes travel, neither of which is so here. */
  | "nothing";

export type CurlValue =
  | "connect-timeout"
  | "cookie"
  | "dump-header"
  | "max-filesize"
  | "max-redirs"
  | "max-time"
  | "oauth2-bearer"
  | "output-dir"
  | "range"
  | "referer"
  | "request"
  | "retry"
  | "retry-delay"
  | "retry-max-time"
  | "stderr"
  | "upload-file"
  | "user"
  | "user-agent"
  | "write-out";

export const FLAGS: Readonly<Record<string, CurlFlag>> = {
  "create-dirs": "create-dirs",
  compressed: "compressed",
  f: "fail",
  fail: "fail",
  "fail-early": "fail-early",
  "fail-with-body": "fail-with-body",
  G: "get",
  get: "get",
  g: "globoff",
  globoff: "globoff",
  I: "head",
  head: "head",
  h: "help",
  help: "help",
  i: "include",
  include: "include",
  "show-headers": "include",
  k: "insecure",
  insecure: "insecure",
  L: "location",
  location: "location",
  J: "remote-header-name",
  "remote-header-name": "remote-header-name",
  "remote-name-all": "remote-name-all",
  "retry-all-errors": "retry-all-errors",
  "retry-connrefused": "retry-connrefused",
  S: "show-error",
  "show-error": "show-error",
  s: "silent",
  silent: "silent",
  v: "verbose",
  verbose: "verbose",
  V: "version",
  version: "version",
  ...Object.fromEntries(
    [
      ..."# 0 1 2 3 4 6 N Z q progress-bar progress-meter no-progress-meter no-buffer parallel parallel-immediate disable".split(
        " ",
      ),
      ..."http1.0 http1.1 http2 http2-prior-knowledge http3 tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 ipv4 ipv6".split(" "),
      ..."tcp-nodelay no-keepalive path-as-is styled-output no-styled-output ssl-reqd".split(" "),
    ].map((name) => [name, "nothing" as const]),
  ),
};

export const VALUES: Readonly<Record<string, CurlValue>> = {
  "connect-timeout": "connect-timeout",
  b: "cookie",
  cookie: "cookie",
  D: "dump-header",
  "dump-header": "dump-header",
  "max-filesize": "max-filesize",
  "max-redirs": "max-redirs",
  m: "max-time",
  "max-time": "max-time",
  "oauth2-bearer": "oauth2-bearer",
  "output-dir": "output-dir",
  r: "range",
  range: "range",
  e: "referer",
  referer: "referer",
  X: "request",
  request: "request",
  retry: "retry",
  "retry-delay": "retry-delay",
  "retry-max-time": "retry-max-time",
  stderr: "stderr",
  T: "upload-file",
  "upload-file": "upload-file",
  u: "user",
  user: "user",
  A: "user-agent",
  "user-agent": "user-agent",
  w: "write-out",
  "write-out": "write-out",
};

/** Options that take a value and are known to curl, but do what cannot be done here. */
export const REFUSED: ReadonlySet<string> = new Set(
  (
    "x proxy proxy-user U preproxy socks4 socks4a socks5 socks5-hostname resolve connect-to unix-socket " +
    "abstract-unix-socket interface cert E key cacert capath pinnedpubkey c cookie-jar K config n netrc netrc-file " +
    "C continue-at z time-cond dns-servers doh-url local-port limit-rate next libcurl trace trace-ascii aws-sigv4 " +
    "ntlm digest negotiate anyauth location-trusted etag-save etag-compare"
  ).split(" "),
);
