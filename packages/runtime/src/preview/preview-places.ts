import { TenrecError } from "@tenrec/protocol";
import type { AccessEnv } from "../access.ts";
import { plainHost, portOf } from "../plain-host.ts";

/** Where a preview can be opened. */
export interface PreviewPlaces {
  /** A path of the agent's own host: pages run in an opaque origin, where storage and absolute paths do not work. */
  readonly path: string;
  /** On a host that is not the agent's, where they do; absent where none is configured and this is no development. */
  readonly host?: string;
}

/**
 * How a request reaches a preview: below a path of the agent's host, at a host that is this link's alone, or at a host of all
 * previews, where a cookie says which.
 */
type PreviewMode = "path" | "own" | "shared";

/** What a request to a preview asks for. */
export interface PreviewTarget {
  readonly mode: PreviewMode;
  readonly token: string;
  /** The URL that the app is to see. */
  readonly url: string;
  /** The path before the app's own; empty on a host of its own. */
  readonly prefix: string;
  /** Whether it only chooses the preview that a shared host shows from then on. */
  readonly isTicket?: boolean;
}

const PREVIEW_PATH = "/previews/";
const LOCAL_SUFFIX = ".preview.localhost";

/** On a shared host: chooses what it shows, by a cookie that no other host can read or set. */
const TICKET_PATH = "/@tenrec/open/";
export const TICKET_COOKIE = "__Host-tenrec-preview";

type Hosting = { readonly suffix: string } | { readonly shared: URL } | undefined;

/** Throws `not-configured` for a variable that says neither of the two. */
function hostingOf({ TENREC_PREVIEW_HOST: text }: AccessEnv): Hosting {
  if (!text) return undefined;
  const below = /^\*\.[a-z0-9.-]+$/i.test(text) ? URL.parse(`http://x${text.slice(1)}`) : null;
  if (below) return { suffix: plainHost(below).slice(1) };
  const shared = URL.parse(text);
  if (shared && /^https?:$/.test(shared.protocol) && shared.pathname === "/") return { shared };
  const how =
    "Set it to a wildcard such as *.preview.example.com, or to the address of the Worker for previews, such as https://preview.me.workers.dev.";
  throw new TenrecError("not-configured", { what: "The variable TENREC_PREVIEW_HOST", how });
}

/** Where the preview of a token is, for who asks at `asked`. */
export function previewPlaces(env: AccessEnv, token: string, asked: string): PreviewPlaces {
  const url = new URL(asked);
  const { protocol } = url;
  const path = `${PREVIEW_PATH}${token}/`;
  const hosting = hostingOf(env);
  const isLocal = /^(localhost|.*\.localhost|127\.0\.0\.1|\[::1\])$/.test(plainHost(url));
  const at = portOf(url);
  if (hosting && "shared" in hosting) return { path, host: `${hosting.shared.origin}${TICKET_PATH}${token}` };
  if (hosting) return { path, host: `${protocol}//${token}${hosting.suffix}${at}/` };
  return { path, ...(isLocal ? { host: `${protocol}//${token}${LOCAL_SUFFIX}${at}/` } : {}) };
}

/** Undefined for a request that is none to a preview. On a host of previews, every request is one. */
export function previewTarget(request: Request, env: AccessEnv): PreviewTarget | undefined {
  const url = new URL(request.url);
  const host = plainHost(url);
  const hosting = hostingOf(env);
  for (const suffix of [LOCAL_SUFFIX, ...(hosting && "suffix" in hosting ? [hosting.suffix] : [])]) {
    if (!host.endsWith(suffix)) continue;
    return { mode: "own", token: host.slice(0, -suffix.length), url: request.url, prefix: "" };
  }
  if (hosting && "shared" in hosting && host === plainHost(hosting.shared) && url.port === hosting.shared.port) {
    const isTicket = url.pathname.startsWith(TICKET_PATH);
    const token = isTicket ? url.pathname.slice(TICKET_PATH.length) : ticketIn(request);
    return { mode: "shared", token, url: request.url, prefix: "", isTicket };
  }
  const [, token, rest = ""] = /^\/previews\/([a-z2-7]+)(\/.*)?$/.exec(url.pathname) ?? [];
  if (token === undefined) return undefined;
  const shown = `${url.origin}${rest === "" ? "/" : rest}${url.search}`;
  return { mode: "path", token, url: shown, prefix: PREVIEW_PATH + token };
}

/** The token of what a shared host shows a browser; empty when it has chosen nothing. */
export function ticketIn({ headers }: Request): string {
  const pairs = (headers.get("cookie") ?? "").split(/;\s*/);
  const found = pairs.find((pair) => pair.startsWith(`${TICKET_COOKIE}=`));
  return found?.slice(TICKET_COOKIE.length + 1) ?? "";
}
