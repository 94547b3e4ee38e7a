import { base64url, equalTexts, fromBase64, hmac } from "./access.ts";

/** Which session a preview is of, and where it lives. */
export interface PreviewAddress {
  /** The binding of the agent's class. */
  readonly binding: string;
  /** The name of the object, as `objectName` makes it: an object that is woken by its id alone does not know its name. */
  readonly name: string;
  readonly session: string;
}

/** Where a preview can be opened, each without a scheme and the Worker's own host and port. */
export interface PreviewPlaces {
  /** A path of the Worker's own host: pages run in an opaque origin, where storage and absolute paths do not work. */
  readonly path: string;
  /** A host of the preview's own, for development; absent when the session's id is too long for a name. */
  readonly host?: string;
}

const PREVIEW_PATH = "/previews/";
const PREVIEW_HOST = ".preview.localhost";

/** A link is good for one to two weeks, and the same for one. In milliseconds. */
const PERIOD_MS = 7 * 24 * 3600 * 1000;

const DIGITS = "abcdefghijklmnopqrstuvwxyz234567";
const MOST_LABEL = 63;
const MOST_HOST = 253;

/** The signed places of a session's preview, which show its newest files; whoever has one of them may look. */
export async function previewPlaces(secret: string, address: PreviewAddress, now: number): Promise<PreviewPlaces> {
  const period = Math.floor(now / PERIOD_MS) + 2;
  const rest = new TextEncoder().encode(JSON.stringify([address.binding, address.session, period]));
  const text = base32(Uint8Array.of(...fromBase64(address.name), ...rest));
  const token = text + (await signature(secret, text));
  const labels = token.match(new RegExp(`.{1,${MOST_LABEL}}`, "g")) ?? [];
  const host = labels.join(".") + PREVIEW_HOST;
  return { path: `${PREVIEW_PATH}${token}/`, ...(host.length <= MOST_HOST ? { host } : {}) };
}

/** What a request to a preview asks for. */
export interface PreviewTarget {
  readonly token: string;
  /** The URL that the app is to see. */
  readonly url: string;
  /** The path before the app's own; empty on a host of its own. */
  readonly prefix: string;
}

/** Undefined for a request that is none to a preview. */
export function previewTarget(request: Request): PreviewTarget | undefined {
  const url = new URL(request.url);
  if (url.hostname.endsWith(PREVIEW_HOST)) {
    return { token: url.hostname.slice(0, -PREVIEW_HOST.length).replaceAll(".", ""), url: request.url, prefix: "" };
  }
  const [, token, rest = ""] = /^\/previews\/([a-z2-7]+)(\/.*)?$/.exec(url.pathname) ?? [];
  if (token === undefined) return undefined;
  const prefix = PREVIEW_PATH + token;
  return { token, url: `${url.origin}${rest === "" ? "/" : rest}${url.search}`, prefix };
}

/** Whose preview a token is for; undefined when it is not valid, or not any more. */
export async function readPreviewToken(
  secret: string,
  token: string,
  now: number,
): Promise<PreviewAddress | undefined> {
  const text = token.slice(0, -SIGNATURE_DIGITS);
  if (!(await equalTexts(token.slice(-SIGNATURE_DIGITS), await signature(secret, text)))) return undefined;
  const bytes = fromBase32(text);
  const name = base64url(bytes.subarray(0, NAME_BYTES));
  const rest = new TextDecoder().decode(bytes.subarray(NAME_BYTES));
  const [binding, session, period] = JSON.parse(rest) as [string, string, number];
  return period > now / PERIOD_MS ? { binding, name, session } : undefined;
}

const NAME_BYTES = 32;
const SIGNATURE_DIGITS = 32;

/** 120 bits of it. */
async function signature(secret: string, text: string): Promise<string> {
  const digest = await hmac(secret, JSON.stringify(["preview", text]));
  return base32(new TextEncoder().encode(digest).subarray(0, 20));
}

function base32(bytes: Uint8Array): string {
  let [text, bits, value] = ["", 0, 0];
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += DIGITS[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + DIGITS[(value << (5 - bits)) & 31] : text;
}

/** Of what `base32` wrote. */
function fromBase32(text: string): Uint8Array {
  const bytes: number[] = [];
  let [bits, value] = [0, 0];
  for (const digit of text) {
    value = (value << 5) | DIGITS.indexOf(digit);
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push(value >>> bits);
    }
    value &= (1 << bits) - 1;
  }
  return Uint8Array.from(bytes);
}
