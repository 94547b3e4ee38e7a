import type { Clock } from "@tenrec/protocol";
import { errorJson } from "@tenrec/protocol";
import { anthropicWire } from "./anthropic/anthropic-wire.ts";
import { chatWire } from "./chat/chat-wire.ts";
import { authorize, gatewayRefusal } from "./desk/authorize.ts";
import type { Found, Route } from "./desk/find-route.ts";
import { findRoute } from "./desk/find-route.ts";
import { listModels } from "./desk/list-models.ts";
import type { RecordedRequest } from "./desk/record-request.ts";
import type { ScriptDesk } from "./desk/script-desk.ts";
import { scriptDesk } from "./desk/script-desk.ts";
import { responsesWire } from "./responses/responses-wire.ts";
import { parseScript } from "./script/parse-script.ts";
import type { Script } from "./script/script.ts";
import { wallClock } from "./wall-clock.ts";
import { errorResponse } from "./wire/answer.ts";
import type { Wire } from "./wire/wire.ts";
import { resultResponse } from "./workers-ai/result-response.ts";
import { workersAiWire } from "./workers-ai/workers-ai-wire.ts";

export interface ModelServerOptions {
  /** The key to insist on, as a bearer token or as `x-api-key`; default: none is needed. */
  readonly apiKey?: string;
  /** Tokens for `cf-aig-authorization`, by the name of the AI Gateway that insists on one; others need none. */
  readonly gateways?: Readonly<Record<string, string>>;
  /** What delays wait on; default: real time. */
  readonly clock?: Clock;
}

export interface ModelServer {
  /** Rejects where a real server would close the connection without an answer. */
  fetch(request: Request): Promise<Response>;
  /** Requests for answers, oldest first; of each model the newest 200. */
  readonly requests: readonly RecordedRequest[];
  /** Offers one more model, or another script for one. */
  addScript(script: Script): void;
  /** Makes the AI Gateway of this name insist on a token. */
  addGateway(name: string, token: string): void;
}

/**
 * A server that answers from scripts, each under the name of its `model`, in the wire formats of OpenAI Chat Completions,
 * OpenAI Responses, Anthropic Messages and Workers AI, plain and under the paths of a Cloudflare AI Gateway. A script gives
 * the same answers here as in `scriptedModel`. Throws `request-invalid` for a script that is not valid.
 *
 * For tests that run elsewhere, `POST /testkit/scripts` adds a script, `POST /testkit/gateways` a gateway, and
 * `GET /testkit/requests?model=` lists what a model was asked; `modelServerClient` calls them.
 */
export function modelServer(scripts: Script | readonly Script[], options: ModelServerOptions = {}): ModelServer {
  const clock = options.clock ?? wallClock();
  const desk = scriptDesk(scripts, clock);
  const responses = responsesWire();
  const gateways = new Map(Object.entries(options.gateways ?? {}));
  const addGateway = (name: string, token: string): void => void gateways.set(name, token);

  const wireOf = (route: Route): Wire => {
    if (route.type === "workers-ai") return workersAiWire(route.model);
    if (route.type === "anthropic") return anthropicWire;
    return route.type === "responses" ? responses : chatWire;
  };

  const respond = async (request: Request, found: Found, path: string): Promise<Response> => {
    const { route, gateway } = found;
    const refuse = (status: number, message: string): Response =>
      errorResponse(wireOf(route ?? { type: "chat" }), { status, message }, clock);
    if (!route) return refuse(404, `There is no ${request.method} ${path}.`);
    const allowed = authorize(request.headers, found, { apiKey: options.apiKey, gateways });
    if (allowed === "no gateway token") return gatewayRefusal();
    if (allowed === "no key") return refuse(401, "The API key is missing or wrong.");
    if (route.type === "models") return listModels(desk.models(), request.headers.has("anthropic-version"));
    if (route.type === "anthropic" && !request.headers.has("anthropic-version")) {
      return refuse(400, "anthropic-version: header is required");
    }
    const { headers, signal } = request;
    const incoming = { path, headers, text: await request.text(), signal };
    // There the name of a model starts with that of its provider.
    const scriptName = (model: string): string => modelBehind(desk, model);
    const response = await desk.take(
      wireOf(route),
      gateway?.provider === "compat" ? { ...incoming, scriptName } : incoming,
    );
    return route.type === "workers-ai" ? resultResponse(response) : response;
  };

  return {
    requests: desk.requests,
    addScript: (script) => desk.addScript(script),
    addGateway,
    fetch: async (request) => {
      const url = new URL(request.url);
      if (url.pathname.startsWith("/testkit/")) return manage(request, url, desk, addGateway);
      return respond(request, findRoute(request.method, url.pathname), url.pathname);
    },
  };
}

function modelBehind(desk: ScriptDesk, model: string): string {
  return desk.models().includes(model) ? model : model.slice(model.indexOf("/") + 1);
}

async function manage(
  request: Request,
  url: URL,
  desk: ScriptDesk,
  addGateway: ModelServer["addGateway"],
): Promise<Response> {
  const done = (): Response => new Response(null, { status: 204 });
  try {
    switch (`${request.method} ${url.pathname}`) {
      case "POST /testkit/scripts":
        desk.addScript(parseScript(await request.json()));
        return done();
      case "POST /testkit/gateways": {
        const { name, token } = (await request.json()) as { name: string; token: string };
        addGateway(name, token);
        return done();
      }
      case "GET /testkit/requests": {
        const model = url.searchParams.get("model");
        return Response.json(desk.requests.filter((recorded) => model === null || recorded.model === model));
      }
      default:
        return new Response(`There is no ${request.method} ${url.pathname}.`, { status: 404 });
    }
  } catch (error) {
    return new Response(errorJson(error).message, { status: 400 });
  }
}
