import type { GatewayProvider } from "./desk/find-route.ts";
import type { RecordedRequest } from "./desk/record-request.ts";
import type { Script } from "./script/script.ts";

/** A model server in another process, for tests that run where none can listen. */
export interface ModelServerClient {
  /** For the base URL of a provider, whichever wire format it speaks. */
  readonly baseURL: string;
  /** The base URL for a provider behind the AI Gateway of this name. */
  gatewayURL(gateway: string, provider: GatewayProvider): string;
  /** Makes the AI Gateway of this name insist on a token. */
  addGateway(name: string, token: string): Promise<void>;
  /** Rejects for a script that is not valid. */
  addScript(script: Script): Promise<void>;
  /** What a model was asked, oldest first; the newest 200. */
  requests(model: string): Promise<readonly RecordedRequest[]>;
}

/** `url` is that of the server, without a path. */
export function modelServerClient(url: string): ModelServerClient {
  const call = async (path: string, init?: RequestInit): Promise<Response> => {
    const response = await fetch(new URL(path, url), init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const post = async (path: string, body: unknown): Promise<void> => {
    await call(path, { method: "POST", body: JSON.stringify(body) });
  };
  return {
    baseURL: new URL("/v1", url).href,
    gatewayURL: (gateway, provider) => {
      // As the packages want it: for these two the version is a part of the base URL.
      const version = provider === "anthropic" || provider === "workers-ai" ? "/v1" : "";
      return new URL(`/v1/account/${encodeURIComponent(gateway)}/${provider}${version}`, url).href;
    },
    addGateway: (name, token) => post("/testkit/gateways", { name, token }),
    addScript: (script) => post("/testkit/scripts", script),
    requests: async (model) => {
      const response = await call(`/testkit/requests?model=${encodeURIComponent(model)}`);
      return (await response.json()) as readonly RecordedRequest[];
    },
  };
}
