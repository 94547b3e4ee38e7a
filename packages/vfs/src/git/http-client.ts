import { TenrecError } from "@tenrec/protocol";
import type { GitHttpRequest, GitHttpResponse, HttpClient } from "isomorphic-git";
import { readAdvertisement } from "./advertisement.ts";
import { type GitContext, guard } from "./context.ts";
import { clean } from "./git-error.ts";
import { limitedBody, readAll } from "./limited-body.ts";
import { checkRemoteUrl } from "./remote-url.ts";

/** Of a list of refs. A ref takes some 60 bytes. */
const MAX_ADVERTISEMENT_BYTES = 8 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
const MAX_REDIRECTS = 5;

/** What is spoken with one server in one operation. */
export interface Connection {
  readonly http: HttpClient;
  /** Refs of the server by full name, once it has told them. */
  readonly refs: ReadonlyMap<string, string>;
}

/**
 * A client for isomorphic-git that speaks to one repository of one server only. It alone knows the credentials, and sends
 * them only to the host that they are for and only after that has asked. Redirects are followed within the same origin.
 * `beforePush` is awaited before anything is sent that changes the server.
 */
export function connect(context: GitContext, remote: URL, beforePush?: () => Promise<void>): Connection {
  const { fetch, credentials } = context.options;
  if (fetch === undefined) {
    throw new TenrecError("not-configured", { what: "The network for git", how: "Give createGit a fetch." });
  }
  const refs = new Map<string, string>();
  // Where the repository is after redirects.
  let base = remote;
  let useCredentials = false;
  const send = async (request: GitHttpRequest, body: Uint8Array | undefined): Promise<Response> => {
    for (let hops = 0; ; hops++) {
      const url = base.href + checkTarget(remote, request.url);
      const response = await sendOnce(context, fetch, url, request, body, useCredentials);
      const location = isRedirect(response.status) ? response.headers.get("location") : null;
      if (location !== null) {
        base = redirected(context, base, url, location, hops);
        await response.body?.cancel();
        continue;
      }
      if (response.status === 401 && !useCredentials && credentials?.of(base.host)) {
        useCredentials = true;
        await response.body?.cancel();
        continue;
      }
      if (response.status === 401 || response.status === 403) {
        await response.body?.cancel();
        throw unauthorized(base, useCredentials);
      }
      return response;
    }
  };
  const request = async (request: GitHttpRequest): Promise<GitHttpResponse> => {
    const body = request.body && (await readAll(toAsync(request.body)));
    if (request.url.endsWith("/git-receive-pack")) {
      const { maxPackBytes: limit } = context.limits;
      const size = body?.length ?? 0;
      if (size > limit) throw new TenrecError("git-too-large", { what: "the pack to be pushed", size, limit });
      await beforePush?.();
    }
    const response = await send(request, body);
    return answer(context, refs, request, response);
  };
  const http: HttpClient = {
    request: async (asked) => {
      try {
        return await request(asked);
      } catch (error) {
        throw remember(context, remote, error);
      }
    },
  };
  return { http, refs };
}

/** The refs of a server, by full name. */
export async function readRefs(context: GitContext, remote: URL): Promise<ReadonlyMap<string, string>> {
  const { http, refs } = connect(context, remote);
  const { statusCode } = await http.request({ url: `${remote.href}/info/refs?service=git-upload-pack` });
  if (statusCode === 200) return refs;
  throw new TenrecError("git-failed", {
    what: `asking ${remote.host}`,
    reason: `it answered with status ${statusCode}`,
  });
}

function unauthorized({ href, host }: URL, wasTried: boolean): TenrecError {
  const needs = wasTried ? `other credentials for ${host} than those that are set` : `GIT_TOKEN with GIT_HOST ${host}`;
  return new TenrecError("git-unauthorized", { url: href, needs });
}

async function sendOnce(
  context: GitContext,
  fetch: NonNullable<GitContext["options"]["fetch"]>,
  url: string,
  { method = "GET", headers = {} }: GitHttpRequest,
  body: Uint8Array | undefined,
  useCredentials: boolean,
): Promise<Response> {
  const { credentials, signal } = context.options;
  const sent = new Headers(headers);
  sent.delete("authorization");
  // Some servers answer with a page to what does not call itself git.
  sent.set("user-agent", "git/tenrec");
  const credential = useCredentials ? credentials?.of(new URL(url).host) : undefined;
  if (credential) {
    const pair = new TextEncoder().encode(`${credential.username}:${credential.password}`);
    sent.set("authorization", `Basic ${Buffer.from(pair).toString("base64")}`);
  }
  const timeout = AbortSignal.timeout(context.limits.requestMs);
  return fetch(url, {
    method,
    headers: sent,
    redirect: "manual",
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    ...(body ? { body } : {}),
  });
}

async function answer(
  context: GitContext,
  refs: Map<string, string>,
  request: GitHttpRequest,
  response: Response,
): Promise<GitHttpResponse> {
  const isFirst = request.url.includes("/info/refs?");
  const { maxPackBytes } = context.limits;
  const limit = response.status === 200 ? (isFirst ? MAX_ADVERTISEMENT_BYTES : maxPackBytes) : MAX_ERROR_BYTES;
  const pieces = limitedBody(response, isFirst ? "the list of refs" : "the pack of the server", limit);
  const common = {
    url: request.url,
    statusCode: response.status,
    statusMessage: response.statusText,
    headers: Object.fromEntries(response.headers),
  };
  if (!isFirst || response.status !== 200) return { ...common, body: guarded(context, pieces) };
  const bytes = await readAll(pieces);
  for (const [name, oid] of guard(context, () => readAdvertisement(bytes))) refs.set(name, oid);
  return { ...common, body: guarded(context, toAsync([bytes])) };
}

// isomorphic-git tells some errors of a body in its own way, and takes some for its end.
async function* guarded(context: GitContext, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let received = 0;
  try {
    for await (const piece of pieces) {
      received += piece.length;
      context.options.onProgress?.({ phase: "receiving", loaded: received });
      yield piece;
    }
  } catch (error) {
    throw remember(context, undefined, error);
  }
}

function remember(context: GitContext, remote: URL | undefined, error: unknown): TenrecError {
  const known = error instanceof TenrecError ? error : networkError(context, remote, error);
  context.failure ??= known;
  return known;
}

function networkError(context: GitContext, remote: URL | undefined, error: unknown): TenrecError {
  const { signal } = context.options;
  const what = remote ? `speaking to ${remote.host}` : "receiving from the server";
  if (signal?.aborted) return new TenrecError("aborted", { reason: "git was stopped" });
  if (error instanceof Error && error.name === "TimeoutError") {
    return new TenrecError("timeout", { what, ms: context.limits.requestMs });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new TenrecError("git-failed", { what, reason: clean(context, message) });
}

/** What is asked of the repository: the part of the URL behind the repository's own. */
function checkTarget(remote: URL, asked: string): string {
  if (!asked.startsWith(`${remote.href}/`)) {
    throw new TenrecError("git-refused", { what: "a request to another address", reason: "it is not the remote's" });
  }
  return asked.slice(remote.href.length);
}

function redirected(context: GitContext, base: URL, from: string, location: string, hops: number): URL {
  const refuse = (reason: string): never => {
    throw new TenrecError("git-refused", { what: `the redirect of ${base.host}`, reason });
  };
  if (hops >= MAX_REDIRECTS) return refuse(`it is the ${MAX_REDIRECTS + 1}th in a row`);
  const target = URL.canParse(location, from) ? new URL(location, from) : refuse("it leads to no URL");
  if (target.origin !== base.origin) return refuse(`it leads to ${target.host}; use that address, if you trust it`);
  const suffix = from.slice(base.href.length);
  if (!target.href.endsWith(suffix)) return refuse("it does not lead to a repository");
  return checkRemoteUrl(target.href.slice(0, -suffix.length), context.options.insecureHosts);
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

async function* toAsync(list: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* list;
}
