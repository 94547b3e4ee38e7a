import type { Egress, EgressRedirect, EgressRequest, EgressResponse, Gate } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";
import { type Cutoff, LimitedBody } from "./limited-body.ts";
import { whyAddressIsNotPublic } from "./public-host.ts";
import { parsePublicUrl, showUrl } from "./public-url.ts";
import { dropBodyHeaders, keepHarmless, requestHeaders } from "./request-headers.ts";

/** How the network is reached. What may be reached is for a policy to say. */
export interface NetworkOptions {
  /** Called with `redirect: "manual"` and a signal, for an address that was checked. Default: that of the platform. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Hosts that may be reached though they are not public, as `URL.host` gives them: `127.0.0.1:4873`. Default: none. */
  readonly localHosts?: readonly string[];
  /**
   * The addresses of a host name; all of them have to be public. For where `fetch` itself would reach the network that it
   * runs in. Default: names are not looked up.
   */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
}

export interface EgressOptions extends NetworkOptions {
  /** Asked about each host, also of each redirect. */
  readonly gate: Gate;
}

const MAX_REDIRECTS = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What is asked for next, which a redirect changes. */
interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly body: Uint8Array | undefined;
  /** The host that sent the request here, where it is not the one that was asked for at first. */
  readonly via?: string;
}

/** The way out through one gate. */
export function createEgress(options: EgressOptions): Egress {
  return { fetch: (request) => send(options, request) };
}

async function send(options: EgressOptions, request: EgressRequest): Promise<EgressResponse> {
  const first = parsePublicUrl(request.url, options.localHosts);
  const headers = requestHeaders(first.href, request.headers ?? {});
  const redirects: EgressRedirect[] = [];
  const cutoff = cutoffOf(request);
  let hop: Hop = { url: first, method: (request.method ?? "GET").toUpperCase(), body: request.body };
  for (;;) {
    const response = await sendOnce(options, request, hop, headers, cutoff);
    const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
    if (location === null || request.maxRedirects === 0) {
      const { status, statusText } = response;
      const body = new LimitedBody(response, hop.url.href, request.maxBytes, cutoff);
      return { url: hop.url.href, redirects, status, statusText, headers: response.headers, body };
    }
    await response.body?.cancel();
    const next = follow(options, first, hop, response.status, location);
    const { status, statusText, headers: told } = response;
    redirects.push({ status, statusText, headers: told, url: next.url.href });
    if (redirects.length > (request.maxRedirects ?? MAX_REDIRECTS)) {
      const reason = `it redirects ${redirects.length} times`;
      throw new TenrecError("fetch-failed", { url: first.href, reason, redirects: redirects.length });
    }
    if (next.url.origin !== hop.url.origin) keepHarmless(headers);
    if (!next.body) dropBodyHeaders(headers);
    hop = next;
  }
}

async function sendOnce(
  { fetch = globalThis.fetch, gate, localHosts = [], resolve }: EgressOptions,
  request: EgressRequest,
  { url, method, body, via }: Hop,
  headers: Headers,
  cutoff: Cutoff,
): Promise<Response> {
  const target = `${method} ${url.href}`;
  gate.require({
    permission: "network",
    detail: target,
    host: url.host,
    ...(request.by === undefined ? {} : { by: request.by }),
    ...(via === undefined ? {} : { via }),
  });
  try {
    if (cutoff.signal.aborted) throw cutoff.reason();
    if (resolve && !localHosts.includes(url.host)) await checkAddresses(url, resolve);
    request.onSend?.(target);
    return await fetch(url.href, {
      method,
      headers,
      redirect: "manual",
      signal: cutoff.signal,
      ...(body ? { body: body as BodyInit } : {}),
    });
  } catch (error) {
    if (cutoff.signal.aborted) throw cutoff.reason();
    if (error instanceof TenrecError) throw error;
    throw new TenrecError("fetch-failed", { url: url.href, reason: messageOf(error) }, { cause: error });
  }
}

/** Names that lead into the own network are the same as its addresses. */
async function checkAddresses(url: URL, resolve: NonNullable<EgressOptions["resolve"]>): Promise<void> {
  // An address was judged with the URL.
  if (url.hostname.startsWith("[") || /^[\d.]+$/.test(url.hostname)) return;
  const addresses = await resolve(url.hostname);
  if (addresses.length === 0) throw new TenrecError("fetch-failed", { url: url.href, reason: "its host is not known" });
  for (const address of addresses) {
    const why = whyAddressIsNotPublic(address);
    if (why !== undefined)
      throw new TenrecError("egress-refused", { url: url.href, reason: `it leads to ${address}: ${why}` });
  }
}

function follow({ localHosts }: EgressOptions, first: URL, from: Hop, status: number, location: string): Hop {
  const text = URL.canParse(location, from.url) ? new URL(location, from.url).href : location;
  const url = redirectTarget(text, from.url, localHosts);
  const isGet = status === 303 || (status <= 302 && from.method === "POST");
  const method = isGet && from.method !== "HEAD" ? "GET" : from.method;
  const body = method === from.method ? from.body : undefined;
  if (body && from.url.protocol === "https:" && url.protocol === "http:") {
    const reason = `${from.url.host} redirects there, and what is sent would go without encryption`;
    throw new TenrecError("egress-refused", { url: url.href, reason });
  }
  return { url, method, body, ...(isSameHost(first, url) ? {} : { via: from.url.host }) };
}

function redirectTarget(text: string, from: URL, localHosts: readonly string[] | undefined): URL {
  try {
    return parsePublicUrl(text, localHosts);
  } catch (error) {
    if (!(error instanceof TenrecError) || error.code !== "egress-refused") throw error;
    const { reason } = error.data as { reason: string };
    throw new TenrecError("egress-refused", {
      url: showUrl(text),
      reason: `${from.host} redirects there, and ${reason}`,
    });
  }
}

/** Whoever allowed `example.com` has allowed `www.example.com`. */
function isSameHost(a: URL, b: URL): boolean {
  const plain = (url: URL): string => url.host.replace(/^www\./, "");
  return plain(a) === plain(b);
}

function cutoffOf({ url, timeout, signal }: EgressRequest): Cutoff {
  const late = AbortSignal.timeout(timeout);
  return {
    signal: AbortSignal.any([signal, late]),
    reason: () =>
      signal.aborted
        ? signal.reason
        : new TenrecError("timeout", { what: `The request of ${showUrl(url)}`, ms: timeout }),
  };
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node says only "fetch failed", and the reason one level below.
  return error.cause instanceof Error && error.cause.message !== "" ? error.cause.message : error.message;
}
