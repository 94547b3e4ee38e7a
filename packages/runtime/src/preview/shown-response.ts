import { cookieOut } from "./app-cookies.ts";
import { plainOrigin } from "../plain-host.ts";
import type { PreviewTarget } from "./preview-places.ts";

/** What any page of a preview may do. */
const ALLOWED = "allow-downloads allow-forms allow-modals allow-pointer-lock allow-popups allow-scripts";

/** Below a path of the agent's own host, whose tokens and API a page would reach, it is nobody. */
const OPAQUE = `sandbox ${ALLOWED}`;

/** In a frame it stays itself, and cannot take the page around it elsewhere. */
const FRAMED = `sandbox ${ALLOWED} allow-same-origin`;

/** What speaks for all of a host: an app may where the host is its own, and nowhere else. */
const OF_THE_HOST =
  /^(clear-site-data|strict-transport-security|public-key-pins.*|alt-svc|nel|report-to|accept-ch|critical-ch|origin-agent-cluster|service-worker-allowed|set-login)$/;

/** What an app answered, as it may be shown at its place. */
export function shownResponse(response: Response, request: Request, { mode, url, prefix }: PreviewTarget): Response {
  if (response.webSocket) return shownSocket(response, mode);
  const shown = new Response(response.body, response);
  const { headers } = shown;
  headers.delete("set-cookie");
  for (const name of mode === "own" ? [] : [...headers.keys()]) if (OF_THE_HOST.test(name)) headers.delete(name);
  headers.set("referrer-policy", "no-referrer");
  headers.append("x-robots-tag", "noindex");
  if (mode === "path") {
    headers.append("content-security-policy", OPAQUE);
    // To a page without an origin, all is cross-origin, also what it is made of.
    headers.set("access-control-allow-origin", "*");
    headers.set("access-control-expose-headers", "*");
    const location = headers.get("location");
    const there = location === null ? undefined : URL.parse(location, url);
    if (there && plainOrigin(there.href) === plainOrigin(url)) {
      headers.set("location", prefix + there.pathname + there.search + there.hash);
    }
    return shown;
  }
  if (mode === "own") addCookies(headers, response.headers);
  if (/^(iframe|frame|embed|object)$/.test(request.headers.get("sec-fetch-dest") ?? "")) {
    headers.append("content-security-policy", FRAMED);
  } else if (headers.get("cross-origin-opener-policy") !== "same-origin") {
    // Who opened the page must not be taken elsewhere by it. A page in a sandbox could not be shown with this.
    headers.set("cross-origin-opener-policy", "same-origin-allow-popups");
  }
  return shown;
}

/** A browser takes headers with a socket as well. */
function shownSocket({ webSocket, headers: given }: Response, mode: PreviewTarget["mode"]): Response {
  const headers = new Headers();
  const protocol = given.get("sec-websocket-protocol");
  if (protocol !== null) headers.set("sec-websocket-protocol", protocol);
  if (mode === "own") addCookies(headers, given);
  return new Response(null, { status: 101, webSocket, headers });
}

function addCookies(headers: Headers, given: Headers): void {
  for (const cookie of given.getSetCookie()) {
    const own = cookieOut(cookie);
    if (own !== undefined) headers.append("set-cookie", own);
  }
}

/** Lets a page without an origin send what it may send to its own app; undefined for a request that asks for no such thing. */
export function preflight({ method, headers }: Request): Response | undefined {
  if (method !== "OPTIONS" || headers.get("origin") !== "null" || !headers.has("access-control-request-method")) {
    return undefined;
  }
  const any = { "access-control-allow-origin": "*", "access-control-allow-methods": "*" };
  const asked = headers.get("access-control-request-headers");
  const named = asked === null ? {} : { "access-control-allow-headers": asked };
  return new Response(null, { status: 204, headers: { ...any, ...named } });
}
