import type { Found } from "./find-route.ts";

export interface Keys {
  readonly apiKey: string | undefined;
  /** Tokens by the gateway that asks for one. */
  readonly gateways: ReadonlyMap<string, string>;
}

/** Whether a request has the key of the provider, and that of a gateway that asks for one. */
export function authorize(headers: Headers, { gateway }: Found, keys: Keys): "ok" | "no key" | "no gateway token" {
  const token = gateway && keys.gateways.get(gateway.id);
  if (token !== undefined && headers.get("cf-aig-authorization") !== `Bearer ${token}`) return "no gateway token";
  if (keys.apiKey === undefined) return "ok";
  const given = headers.get("x-api-key") ?? /^Bearer (.*)$/.exec(headers.get("authorization") ?? "")?.[1];
  return given === keys.apiKey ? "ok" : "no key";
}

/** What an AI Gateway answers without its token. */
export function gatewayRefusal(): Response {
  const body = { success: false, result: [], messages: [], error: [{ code: 2009, message: "Unauthorized" }] };
  return Response.json(body, { status: 401 });
}
