import { TenrecError } from "@tenrec/protocol";
import { type AccessEnv, hasToken, type Identity, makeTicket, objectName, readTicket } from "./access.ts";
import { API_ACCESS } from "./api-methods.ts";
import type { CodingAgent } from "./coding-agent.ts";
import { errorResponse } from "./http-error.ts";
import { plainOrigin } from "./plain-host.ts";
import type { PreviewLink } from "./preview/preview-links.ts";
import { previewPlaces } from "./preview/preview-places.ts";
import { previewToken } from "./preview/preview-token.ts";
import { routePreview } from "./preview/route-preview.ts";

export interface RouteOptions<Env> {
  /**
   * Who sends a request: an id of the user, whose workspaces nobody else can reach, or undefined to refuse. With the role
   * `spectator`, one who may watch and read that user's workspaces and change nothing in them. Default: the one user
   * `owner`, known by the secret `TENREC_TOKEN`.
   */
  readonly authenticate?: (request: Request, env: Env) => Promise<string | Identity | undefined>;
  /** Origins of other sites that may use the agents from a browser. Default: none. */
  readonly origins?: readonly string[];
  /** Answers what is no agent's path. Default: 404. */
  readonly fallback?: (request: Request, env: Env, ctx: ExecutionContext) => Response | Promise<Response>;
}

/** Agent classes under the names of their bindings, whatever else is bound in their Workers. */
type AgentClasses = Readonly<Record<string, abstract new (...args: never[]) => Pick<CodingAgent, "sessions">>>;

interface Target {
  readonly binding: string;
  readonly name: string;
  readonly rest: string;
}

const PATHS = /^(tree|export|watch|ticket|preview-link|api\/[\w.]+)$/;

/** All that an object is told of a request: frameworks take orders from headers of their own. */
const FORWARDED = /^(content-(type|length|encoding)|accept|upgrade|connection|sec-websocket-.+)$/;

/** What a page of an allowed origin may send, for browsers that ask first. */
const CORS = {
  "access-control-allow-methods": "GET, POST, PUT",
  "access-control-allow-headers": "authorization, content-type",
  "access-control-max-age": "86400",
};

function kebab(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
}

function target(url: URL, classes: AgentClasses): Target | undefined {
  const match = /^\/agents\/([^/]+)\/([^/]+)\/(.+)$/.exec(url.pathname);
  const [, kind, name, rest] = match ?? [];
  const binding = Object.keys(classes).find((key) => kebab(key) === kind);
  const decoded = name && decode(name);
  if (!binding || !decoded || !rest || !PATHS.test(rest)) return undefined;
  return { binding, name: decoded, rest };
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function secretOf(env: AccessEnv): string {
  if (env.TENREC_SECRET) return env.TENREC_SECRET;
  const how =
    "Set it to 32 random bytes: in .dev.vars for development, and start wrangler again; deployed, with: wrangler secret put TENREC_SECRET";
  throw new TenrecError("not-configured", { what: "The secret TENREC_SECRET", how });
}

async function byToken(request: Request, env: AccessEnv): Promise<string | undefined> {
  if (!env.TENREC_TOKEN) {
    const how =
      "Set it to a long random text: in .dev.vars for development, and start wrangler again; deployed, with: wrangler secret put TENREC_TOKEN";
    throw new TenrecError("not-configured", { what: "The secret TENREC_TOKEN", how });
  }
  return (await hasToken(request, env.TENREC_TOKEN)) ? "owner" : undefined;
}

async function identify<Env>(
  request: Request,
  env: Env,
  workspace: string,
  options: RouteOptions<Env>,
): Promise<Identity> {
  const url = new URL(request.url);
  const ticket = url.searchParams.get("ticket");
  const authenticate = options.authenticate ?? ((r: Request) => byToken(r, env as AccessEnv));
  const who = ticket
    ? await readTicket(secretOf(env as AccessEnv), ticket, workspace, Date.now())
    : await authenticate(request, env);
  if (who !== undefined) return typeof who === "string" ? { user: who, role: "owner" } : who;
  const reason = ticket
    ? "the ticket is not valid, or not any more; ask for a new one"
    : "send the token as Authorization: Bearer <token>";
  throw new TenrecError("unauthorized", { reason });
}

/** Whether a request may change something. What is not known to only read counts as such. */
function changes({ method }: Request, path: string): boolean {
  if (path === "watch" || path === "ticket" || path === "preview-link") return false;
  if (path === "tree" || path === "export") return method !== "GET";
  const access: Readonly<Record<string, "read" | "write">> = API_ACCESS;
  const name = path.slice("api/".length);
  return !Object.hasOwn(access, name) || access[name] !== "read";
}

function isUpgrade(request: Request): boolean {
  return request.headers.get("upgrade")?.toLowerCase() === "websocket";
}

async function forward<Env>(request: Request, env: Env, to: Target, options: RouteOptions<Env>): Promise<Response> {
  const url = new URL(request.url);
  const watches = to.rest === "watch";
  if (isUpgrade(request) !== watches) {
    throw new TenrecError("request-invalid", { reason: watches ? "watch is a socket" : `${to.rest} is no socket` });
  }
  if (url.searchParams.has("ticket") && !watches) {
    throw new TenrecError("unauthorized", { reason: "a ticket opens a socket only" });
  }
  const workspace = `${to.binding}/${to.name}`;
  const who = await identify(request, env, workspace, options);
  if (who.role !== "owner" && changes(request, to.rest)) {
    throw new TenrecError("forbidden", { what: `${request.method} ${to.rest}`, role: who.role });
  }
  const secret = secretOf(env as AccessEnv);
  if (to.rest === "ticket") return Response.json({ ticket: await makeTicket(secret, who, workspace, Date.now()) });
  const namespace = (env as Record<string, unknown>)[to.binding] as DurableObjectNamespace | undefined;
  if (!namespace) {
    const how = `Add a Durable Object binding of that name for the class ${to.binding} to wrangler.jsonc.`;
    throw new TenrecError("not-configured", { what: `The binding ${to.binding}`, how });
  }
  const name = await objectName(secret, who.user, to.binding, to.name);
  const stub = namespace.getByName(name);
  if (to.rest === "preview-link") return previewLink(request, env as AccessEnv, { binding: to.binding, name }, stub);
  const headers = [...request.headers].filter(([name]) => FORWARDED.test(name));
  return stub.fetch(new Request(request, { headers }));
}

/** Asks the object for a link, and says where it leads. */
async function previewLink(
  request: Request,
  env: AccessEnv,
  object: { readonly binding: string; readonly name: string },
  stub: Pick<Fetcher, "fetch">,
): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const turn = searchParams.get("turn");
  const params = { session: searchParams.get("session") ?? "", ...(turn === null ? {} : { turn: Number(turn) }) };
  const url = new URL("api/previews.open", request.url);
  const response = await stub.fetch(new Request(url, { method: "POST", body: JSON.stringify(params) }));
  if (!response.ok) return response;
  const { result } = (await response.json()) as { result: PreviewLink };
  const token = await previewToken(secretOf(env), { ...object, link: result.link });
  return Response.json({ ...previewPlaces(env, token, request.url), expires: result.expires });
}

/** The origin of a page elsewhere that may use the agents; undefined for requests that come from no such page. */
function foreignOrigin(request: Request, origins: readonly string[]): string | undefined {
  const origin = request.headers.get("origin");
  if (origin === null) return undefined;
  const plain = plainOrigin(origin);
  if (plain !== undefined && plain === plainOrigin(request.url)) return undefined;
  if (origins.some((one) => one === origin || (plain !== undefined && plain === plainOrigin(one)))) return origin;
  throw new TenrecError("unauthorized", { reason: `the origin ${origin} may not use this agent` });
}

async function answer<Env>(request: Request, env: Env, to: Target, options: RouteOptions<Env>): Promise<Response> {
  const origin = foreignOrigin(request, options.origins ?? []);
  if (origin === undefined) return forward(request, env, to, options);
  const cors = { "access-control-allow-origin": origin, vary: "origin" };
  if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: { ...CORS, ...cors } });
  const response = await forward(request, env, to, options).catch(errorResponse);
  if (response.webSocket) return response;
  const readable = new Response(response.body, response);
  for (const [name, value] of Object.entries(cors)) readable.headers.set(name, value);
  return readable;
}

/**
 * The fetch handler of a Worker that serves agents at `/agents/<class>/<workspace>/…`. Nothing is reachable without
 * authentication, objects have names that cannot be guessed, and only these classes and paths exist. Previews are at
 * `/previews/<token>/…`, in development at `<token>.preview.localhost`, and where `TENREC_PREVIEW_HOST` says: the token is what
 * lets people in.
 */
export function routeAgents<Env>(
  classes: AgentClasses,
  options: RouteOptions<Env> = {},
): (request: Request, env: Env, ctx: ExecutionContext) => Promise<Response> {
  return async (request, env, ctx) => {
    try {
      const preview = await routePreview(request, env as AccessEnv, Object.keys(classes));
      if (preview) return preview;
      const to = target(new URL(request.url), classes);
      if (to) return await answer(request, env, to, options);
      return options.fallback
        ? await options.fallback(request, env, ctx)
        : new Response("Not found\n", { status: 404 });
    } catch (error) {
      return errorResponse(error);
    }
  };
}
