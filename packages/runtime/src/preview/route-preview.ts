import type { AccessEnv } from "../access.ts";
import { errorResponse } from "../http-error.ts";
import { addLiveScript, asksForPage, CONDITIONS } from "../live/add-live-script.ts";
import { LIVE_PATH } from "../live/live-limits.ts";
import { LIVE_URL, PREVIEW_HEADERS, PREVIEW_URL, TREE_HEADER } from "./preview-request.ts";
import { cookiesIn } from "./app-cookies.ts";
import { type PreviewTarget, previewTarget, TICKET_COOKIE, ticketIn } from "./preview-places.ts";
import { readPreviewToken } from "./preview-token.ts";
import { prefixPaths } from "./prefix-paths.ts";
import { preflight, shownResponse } from "./shown-response.ts";

/** By these, a person would be known to code that a model wrote; and these are orders to frameworks. */
const DROPPED = /^(cookie|authorization|proxy-.*|cf-.*|x-forwarded-.*|x-real-ip|x-partykit-.*|tenrec-.*)$/;

/** Answers a request to a preview of one of these classes' agents; undefined for any other request. */
export async function routePreview(
  request: Request,
  env: AccessEnv,
  bindings: readonly string[],
): Promise<Response | undefined> {
  const target = previewTarget(request, env);
  if (!target) return undefined;
  const secret = env.TENREC_SECRET;
  const address = secret ? await readPreviewToken(secret, target.token, bindings) : undefined;
  const namespace = address && namespaceOf(env, address.binding);
  if (!address || !namespace) return new Response("This link to a preview is not valid.\n", { status: 404 });
  const own = withoutApp(request, target);
  if (own) return own;
  const headers = headersIn(request, target);
  headers.set(PREVIEW_HEADERS.link, `${address.link}`);
  headers.set(PREVIEW_HEADERS.url, encodeURIComponent(target.url));
  const url = isLive(target) ? LIVE_URL : PREVIEW_URL;
  const inner = new Request(new Request(url, request), { headers, redirect: "manual" });
  return outside(await namespace.getByName(address.name).fetch(inner), request, target);
}

/** What is answered without asking the app. */
function withoutApp(request: Request, target: PreviewTarget): Response | undefined {
  if (target.isTicket) return giveTicket(request, target);
  // It would still be there when the host shows another preview.
  if (target.mode === "shared" && request.headers.has("service-worker")) {
    return new Response("Service workers do not work at this address of a preview.\n", { status: 403 });
  }
  if (isLive(target) && request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
    return new Response("This is a socket.\n", { status: 426, headers: { upgrade: "websocket" } });
  }
  return target.mode === "path" ? preflight(request) : undefined;
}

function isLive({ url }: PreviewTarget): boolean {
  return new URL(url).pathname === LIVE_PATH;
}

/** What an app answered as a browser is shown it. */
function outside(response: Response, request: Request, target: PreviewTarget): Response {
  const shown = shownResponse(response, request, target);
  if (shown.webSocket) return shown;
  const tree = shown.headers.get(TREE_HEADER);
  shown.headers.delete(TREE_HEADER);
  if (!asksForPage(request)) return shown;
  const page = target.mode === "path" ? prefixPaths(shown, target.prefix) : shown;
  if (tree === null) return page;
  return addLiveScript(page, { tree, host: new URL(target.url).host, prefix: target.prefix });
}

function namespaceOf(env: AccessEnv, binding: string): DurableObjectNamespace | undefined {
  return (env as Record<string, unknown>)[binding] as DurableObjectNamespace | undefined;
}

/** What of a request's headers may go into an app. */
function headersIn(request: Request, { mode }: PreviewTarget): Headers {
  const isPage = asksForPage(request);
  const kept = [...request.headers].filter(([name]) => !DROPPED.test(name) && !(isPage && CONDITIONS.test(name)));
  const headers = new Headers(kept);
  if (mode !== "own") return headers;
  // On a host that is this preview's alone, a browser has nothing else to send than what the app gave it.
  const cookies = cookiesIn(request.headers.get("cookie"));
  if (cookies !== undefined) headers.set("cookie", cookies);
  const authorization = request.headers.get("authorization");
  if (authorization !== null) headers.set("authorization", authorization);
  return headers;
}

/** Makes a shared host show this preview to this browser; what the one before has stored there goes. */
function giveTicket(request: Request, { token }: PreviewTarget): Response {
  const cookie = `${TICKET_COOKIE}=${token}; Path=/; Secure; HttpOnly; SameSite=Lax`;
  const headers = new Headers({ location: "/", "set-cookie": cookie, "cache-control": "no-store" });
  headers.set("referrer-policy", "no-referrer");
  if (ticketIn(request) !== token) headers.set("clear-site-data", '"cache", "storage"');
  return new Response(null, { status: 303, headers });
}

/**
 * The fetch handler of a Worker that serves nothing but previews, on a host of its own. It is bound to the classes of the
 * agent's Worker, under the same names, and has the same `TENREC_SECRET` and `TENREC_PREVIEW_HOST`.
 */
export function routePreviews<Env>(bindings: readonly string[]): (request: Request, env: Env) => Promise<Response> {
  return async (request, env) => {
    try {
      const preview = await routePreview(request, env as AccessEnv, bindings);
      return preview ?? new Response("Not found\n", { status: 404 });
    } catch (error) {
      return errorResponse(error);
    }
  };
}
