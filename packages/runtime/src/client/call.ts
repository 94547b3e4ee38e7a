import { errorFromJson, type ErrorJson, TenrecError } from "@tenrec/protocol";
import type { AgentApi, ApiMethod } from "../api-methods.ts";

/** Where an agent is, and how to reach it. */
export interface Connection {
  /** `http(s)://host/agents/<class>/<workspace>`, without a slash at the end. */
  readonly url: string;
  readonly token: string;
  readonly fetch: typeof fetch;
}

/** One HTTP request to the agent. Throws a `TenrecError` for every answer that is not a success. */
export async function request(connection: Connection, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${connection.token}`);
  const response = await connection.fetch(`${connection.url}/${path}`, { ...init, headers }).catch((error: unknown) => {
    init.signal?.throwIfAborted();
    throw new TenrecError("unreachable", { url: new URL(connection.url).origin }, { cause: error });
  });
  if (response.ok) return response;
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  if (typeof body === "object" && body !== null && "error" in body) throw errorFromJson(body.error as ErrorJson);
  const reason = `${connection.url} answered with status ${response.status}: ${text.slice(0, 200)}`;
  throw new TenrecError("internal", { reason });
}

/** Calls a method of the agent. */
export async function call<M extends ApiMethod>(
  connection: Connection,
  method: M,
  params: AgentApi[M][0],
  signal?: AbortSignal,
): Promise<AgentApi[M][1]> {
  const response = await request(connection, `api/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(params),
    ...(signal ? { signal } : {}),
  });
  const { result } = (await response.json()) as { result: AgentApi[M][1] };
  return result;
}
