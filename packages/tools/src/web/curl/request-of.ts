import { CurlError } from "./curl-error.ts";
import type { CurlOptions } from "./curl-options.ts";
import type { CurlPort } from "./curl-port.ts";
import { type RequestBody, readInput } from "./request-body.ts";

export interface CurlRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

const VERSION = "8.14.1";

export const VERSION_TEXT: string = `curl ${VERSION} (a stand-in of this shell; http and https)\n`;

/** The request for one of the URLs of a command line. Throws `CurlError`. */
export async function requestOf(
  options: CurlOptions,
  text: string,
  body: RequestBody | undefined,
  port: CurlPort,
): Promise<CurlRequest> {
  const { url, user } = urlOf(options, text, body);
  const headers = await headersOf(options, user, body, port);
  const sent = body && !options.flags.has("get") ? body.bytes : undefined;
  return { url, method: methodOf(options, sent !== undefined), headers, ...(sent ? { body: sent } : {}) };
}

function methodOf({ values, flags }: CurlOptions, hasBody: boolean): string {
  const given = values.get("request");
  if (given !== undefined) return given;
  if (flags.has("head")) return "HEAD";
  if (values.has("upload-file")) return "PUT";
  return hasBody ? "POST" : "GET";
}

function urlOf(options: CurlOptions, text: string, body: RequestBody | undefined): { url: string; user?: string } {
  if (!options.flags.has("globoff") && /\{[^}]*[,}]|\[[^\]:]*-[^\]:]*\]/.test(text)) {
    throw new CurlError(3, "[globbing] is not supported in this shell; use a loop, or --globoff for a literal URL");
  }
  const [, scheme = "", user, rest = ""] = /^(https?:\/\/)(?:([^/?#]*)@)?(.*)$/is.exec(wholeUrl(text)) ?? [];
  const query = body && options.flags.has("get") ? new TextDecoder().decode(body.bytes) : "";
  const url = `${scheme}${rest}`.replaceAll(" ", "%20");
  const [, path = url, hash = ""] = /^([^#]*)(#.*)?$/s.exec(url) ?? [];
  const joined = query === "" ? url : `${path}${path.includes("?") ? "&" : "?"}${query}${hash}`;
  return { url: joined, ...(user === undefined ? {} : { user: decodeUser(user) }) };
}

/** Without a scheme, curl takes http. */
function wholeUrl(text: string): string {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!/^https?:/i.test(whole)) {
    throw new CurlError(1, `Protocol "${whole.slice(0, whole.indexOf(":"))}" not supported`);
  }
  if (!URL.canParse(whole)) throw new CurlError(3, "URL rejected: Malformed input to a URL function");
  return whole;
}

function decodeUser(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch {
    return user;
  }
}

async function headersOf(
  { headers, values, flags }: CurlOptions,
  urlUser: string | undefined,
  body: RequestBody | undefined,
  port: CurlPort,
): Promise<Record<string, string>> {
  const own = new Map<string, string>([
    ["user-agent", values.get("user-agent") ?? `curl/${VERSION}`],
    ["accept", flags.has("json") ? "application/json" : "*/*"],
  ]);
  const set = (name: string, value: string | undefined): unknown => value !== undefined && own.set(name, value);
  if (!flags.has("get")) set("content-type", body?.contentType);
  set("referer", values.get("referer"));
  set("range", values.has("range") ? `bytes=${values.get("range")}` : undefined);
  set("cookie", cookieOf(values.get("cookie")));
  const user = values.get("user") ?? urlUser;
  if (user !== undefined) own.set("authorization", `Basic ${base64(user.includes(":") ? user : `${user}:`)}`);
  const bearer = values.get("oauth2-bearer");
  set("authorization", bearer === undefined ? undefined : `Bearer ${bearer}`);
  const given = await Promise.all(headers.map((header) => headerLines(header, port)));
  const seen = new Set<string>();
  for (const header of given.flat()) addHeader(own, seen, header);
  return Object.fromEntries(own);
}

/** `Name: value` takes the place of curl's own, `Name:` takes it out, `Name;` is one without a value. */
function addHeader(own: Map<string, string>, seen: Set<string>, header: string): void {
  const [, name = "", sign = "", value = ""] = /^([^:;]+)([:;])(.*)$/s.exec(header) ?? [];
  const key = name.trim().toLowerCase();
  if (key === "") return;
  const text = value.trim();
  if (sign === ":" && text === "") own.delete(key);
  else own.set(key, seen.has(key) ? `${own.get(key)}, ${text}` : text);
  seen.add(key);
}

async function headerLines(header: string, port: CurlPort): Promise<string[]> {
  if (!header.startsWith("@")) return [header];
  return new TextDecoder()
    .decode(await readInput(port, header.slice(1), "header"))
    .split(/\r?\n/)
    .filter(Boolean);
}

function cookieOf(value: string | undefined): string | undefined {
  if (value === undefined || value.includes("=")) return value;
  throw new CurlError(2, `option -b: a file of cookies is not supported in this shell; write them as name=value`);
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
