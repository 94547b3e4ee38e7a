const URL_HEADER = "tenrec-gateway-url";
const FROM_HEADER = "tenrec-gateway-from";

/** The path under which an object is asked for what belongs to one of its apps; no router may let it in from outside. */
const GATEWAY_PATH = "/agents/-/-/preview-gateway";

export interface GatewaySource {
  readonly session: string;
  readonly app: string;
  readonly outbound: boolean;
}

/** A request of an app as the object that hosts it is sent it. What the app itself says of where it comes from is dropped. */
export function toHost(request: Request, from: GatewaySource): Request {
  const headers = new Headers(request.headers);
  headers.set(URL_HEADER, encodeURIComponent(request.url));
  headers.set(FROM_HEADER, encodeURIComponent(JSON.stringify(from)));
  const sent = new Request(`http://preview.invalid${GATEWAY_PATH}`, request);
  return new Request(sent, { headers, redirect: "manual" });
}

/** The request as the app made it, and which app that was. Undefined for what was not made by `toHost`. */
export function fromGateway(request: Request): { request: Request; from: GatewaySource } | undefined {
  const url = request.headers.get(URL_HEADER);
  const from = request.headers.get(FROM_HEADER);
  if (new URL(request.url).pathname !== GATEWAY_PATH || url === null || from === null) return undefined;
  const headers = new Headers(request.headers);
  headers.delete(URL_HEADER);
  headers.delete(FROM_HEADER);
  const original = new Request(new Request(decodeURIComponent(url), request), { headers, redirect: "manual" });
  return { request: original, from: JSON.parse(decodeURIComponent(from)) as GatewaySource };
}
