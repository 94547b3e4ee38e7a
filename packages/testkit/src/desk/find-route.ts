/** What a path asks for. */
export type Route =
  | { readonly type: "chat" | "responses" | "anthropic" | "models" }
  | { readonly type: "workers-ai"; readonly model: string };

/** A route, and the gateway that the path goes through. */
export interface Found {
  readonly route: Route | undefined;
  readonly gateway?: { readonly id: string; readonly provider: GatewayProvider };
}

export type GatewayProvider = "openai" | "anthropic" | "workers-ai" | "compat";

const GATEWAY = /^\/v1\/[^/]+\/([^/]+)\/(openai|anthropic|workers-ai|compat)(\/.*)$/;
const REST = /^\/client\/v4\/accounts\/[^/]+\/ai(\/.*)$/;

/** The providers' own paths, Workers AI's REST API, and those of a Cloudflare AI Gateway, under which they stand too. */
export function findRoute(method: string, path: string): Found {
  const rest = REST.exec(path)?.[1];
  if (rest !== undefined) return { route: workersAi(method, rest) };
  const [, id, provider, under] = GATEWAY.exec(path) ?? [];
  if (id === undefined || provider === undefined || under === undefined) return { route: direct(method, path) };
  const gateway = { id: decodeURIComponent(id), provider: provider as GatewayProvider };
  return { route: behindGateway(gateway.provider, method, under), gateway };
}

function direct(method: string, path: string): Route | undefined {
  const routes: Readonly<Record<string, Route>> = {
    "POST /v1/chat/completions": { type: "chat" },
    "POST /v1/responses": { type: "responses" },
    "POST /v1/messages": { type: "anthropic" },
    "GET /v1/models": { type: "models" },
  };
  return routes[`${method} ${path}`];
}

function behindGateway(provider: GatewayProvider, method: string, under: string): Route | undefined {
  if (provider === "workers-ai") return workersAi(method, under);
  if (provider === "anthropic") {
    return ["/v1/messages", "/v1/models"].includes(under) ? direct(method, under) : undefined;
  }
  const known = provider === "compat" ? ["/chat/completions"] : ["/chat/completions", "/responses", "/models"];
  return known.includes(under) ? direct(method, `/v1${under}`) : undefined;
}

function workersAi(method: string, path: string): Route | undefined {
  if (method !== "POST") return undefined;
  if (path === "/v1/chat/completions") return { type: "chat" };
  const model = /^\/(?:run\/)?(@.+)$/.exec(path)?.[1];
  return model === undefined ? undefined : { type: "workers-ai", model: decodeURIComponent(model) };
}
