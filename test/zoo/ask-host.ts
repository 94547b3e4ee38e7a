import { type IncomingHttpHeaders, request as httpRequest } from "node:http";
import type { HttpCheck } from "./check.ts";
import type { Host } from "./host.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** As text; of what is no text, as hex digits. */
  readonly text: string;
}

const TIMEOUT_MS = 30_000;

/** Makes the request of a check; follows no redirect. What names the host is `{origin}` and `{host}` in the answer. */
export async function askHost(host: Host, check: HttpCheck): Promise<Answer> {
  const [, method = "GET", path = ""] = /^(?:([A-Z]+) )?(.*)$/.exec(check.ask) ?? [];
  const { body, headers } = await bodyOf(check);
  const { status, raw, bytes } = await send(new URL(host.url), {
    method,
    path,
    headers: { ...headers, ...hostHeaders(host), ...check.headers },
    body,
  });
  for (const cookie of raw["set-cookie"] ?? []) keepCookie(host.cookies, cookie);
  const nameless = (text: string): string => withoutHost(text, host);
  const entries = Object.entries(raw).map(([name, value]) => [name, nameless([value].flat().join(", "))] as const);
  return { status, headers: Object.fromEntries(entries), text: nameless(textOf(bytes)) };
}

function hostHeaders({ hostname, cookies }: Host): Record<string, string> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return { ...(hostname === undefined ? {} : { host: hostname }), ...(cookie === "" ? {} : { cookie }) };
}

function keepCookie(cookies: Map<string, string>, header: string): void {
  const [, name = "", value = ""] = /^([^=;]+)=([^;]*)/.exec(header) ?? [];
  if (/;\s*max-age=0/i.test(header)) cookies.delete(name);
  else cookies.set(name, value);
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

// `fetch` takes no `Host` header and does not find names below `localhost`.
function send(
  url: URL,
  { method, path, headers, body }: Sent,
): Promise<{ status: number; raw: IncomingHttpHeaders; bytes: Uint8Array }> {
  return new Promise((resolve, reject) => {
    const options = { host: url.hostname, port: url.port, method, path, agent: false, timeout: TIMEOUT_MS };
    const length = body ? { "content-length": `${body.byteLength}` } : {};
    const request = httpRequest({ ...options, headers: { ...headers, ...length } }, (response) => {
      const pieces: Uint8Array[] = [];
      response.on("data", (piece: Uint8Array) => pieces.push(piece));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, raw: response.headers, bytes: Buffer.concat(pieces) }),
      );
    });
    request.on("timeout", () => request.destroy(new Error(`no answer to ${method} ${path} within ${TIMEOUT_MS} ms`)));
    request.on("error", reject);
    request.end(body);
  });
}

async function bodyOf(check: HttpCheck): Promise<{ body: Uint8Array | undefined; headers: Record<string, string> }> {
  const content = contentOf(check);
  if (content === undefined) return { body: undefined, headers: {} };
  const response = new Response(content);
  const type = response.headers.get("content-type");
  const own = check.json === undefined ? type : "application/json";
  return { body: await response.bytes(), headers: own === null ? {} : { "content-type": own } };
}

function contentOf({ form, json, body, parts }: HttpCheck): BodyInit | undefined {
  if (form) return new URLSearchParams(form);
  if (json !== undefined) return JSON.stringify(json);
  if (!parts) return body;
  const data = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === "string") data.set(name, value);
    else data.set(name, new File([value.content], value.name, { type: value.type }));
  }
  return data;
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString("hex");
  }
}

/** A text in which nothing tells which host it is from. */
export function withoutHost(text: string, host: Host): string {
  const { host: address } = new URL(host.url);
  const names = [host.hostname, address].filter((name) => name !== undefined);
  return names.reduce((rest, name) => rest.replaceAll(`http://${name}`, "{origin}").replaceAll(name, "{host}"), text);
}
