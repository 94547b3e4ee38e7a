import type { AccessEnv } from "./access.ts";
import { PREVIEW_HEADERS, PREVIEW_URL } from "./preview-request.ts";
import { type PreviewTarget, previewTarget, readPreviewToken } from "./preview-address.ts";

/** What a page below a path of the agent's own host may do: nothing as that host, whose tokens and API it would reach. */
const SANDBOX = "sandbox allow-downloads allow-forms allow-modals allow-pointer-lock allow-popups allow-scripts";

/** By these, a person would be known to code that a model wrote; and these are orders to frameworks. */
const DROPPED = /^(cookie|authorization|proxy-.*|cf-.*|x-forwarded-.*|x-real-ip|x-partykit-.*|tenrec-.*)$/;

/** Answers a request to a preview of one of these classes' agents; undefined for any other request. */
export async function routePreview(
  request: Request,
  env: AccessEnv,
  bindings: readonly string[],
): Promise<Response | undefined> {
  const target = previewTarget(request);
  if (!target) return undefined;
  const secret = env.TENREC_SECRET;
  const address = secret ? await readPreviewToken(secret, target.token, Date.now()) : undefined;
  const namespace = address && bindings.includes(address.binding) ? namespaceOf(env, address.binding) : undefined;
  if (!address || !namespace)
    return new Response("This link to a preview is not valid, or not any more.\n", { status: 404 });
  const headers = new Headers([...request.headers].filter(([name]) => !DROPPED.test(name)));
  headers.set(PREVIEW_HEADERS.session, encodeURIComponent(address.session));
  headers.set(PREVIEW_HEADERS.url, encodeURIComponent(target.url));
  const inner = new Request(new Request(PREVIEW_URL, request), { headers, redirect: "manual" });
  return outside(await namespace.getByName(address.name).fetch(inner), target);
}

function namespaceOf(env: AccessEnv, binding: string): DurableObjectNamespace | undefined {
  return (env as Record<string, unknown>)[binding] as DurableObjectNamespace | undefined;
}

/** What an app answered, as it may be shown at its place. */
function outside(response: Response, { url, prefix }: PreviewTarget): Response {
  if (response.webSocket) return response;
  const shown = new Response(response.body, response);
  const { headers } = shown;
  headers.delete("set-cookie");
  headers.set("referrer-policy", "no-referrer");
  headers.append("x-robots-tag", "noindex");
  if (prefix === "") return shown;
  headers.append("content-security-policy", SANDBOX);
  headers.delete("service-worker-allowed");
  const location = headers.get("location");
  const there = location === null ? undefined : URL.parse(location, url);
  if (there && there.origin === new URL(url).origin) {
    headers.set("location", prefix + there.pathname + there.search + there.hash);
  }
  return shown;
}
