import { TenrecError } from "@tenrec/protocol";
import { whyHostIsNotPublic } from "./public-host.ts";

const MAX_LENGTH = 8000;

/** Of the ports below 1024 only those of the web; above, those that the Fetch standard blocks, as other protocols live there. */
const WEB_PORTS: ReadonlySet<number> = new Set([80, 443]);
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/**
 * The URL that a text is, if it can be one of the public internet: in the one spelling that is compared, shown and
 * requested from here on. `localHosts` are excepted: hosts as `URL.host` gives them. Throws `egress-refused`.
 */
export function parsePublicUrl(text: string, localHosts: readonly string[] = []): URL {
  const refuse = (reason: string): never => {
    throw new TenrecError("egress-refused", { url: showUrl(text), reason });
  };
  if (text.length > MAX_LENGTH) return refuse(`it has more than ${MAX_LENGTH} characters`);
  // Some parsers end a host at one of these and others do not.
  if (/[\0-\x20\x7f\\]/.test(text)) return refuse("it has a space, a backslash or a control character in it");
  if (/^(?:[\w-]+(?:\.[\w-]+)+(?:[:/?#]|$)|[\w-]+:\d)/.test(text))
    return refuse("it has no scheme; begin with https://");
  if (!URL.canParse(text)) return refuse("it is not a URL, or its host is not one");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return refuse("only http and https are spoken");
  if (url.username !== "" || url.password !== "")
    return refuse(`it has a user name or a password in it; its host is ${url.host}`);
  if (localHosts.includes(url.host)) return url;
  const why = whyHostIsNotPublic(url.hostname) ?? whyPortIsRefused(url.port);
  if (why !== undefined) return refuse(why);
  // `example.com.` is the same host to everybody but a comparison of texts.
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
  return url;
}

function whyPortIsRefused(port: string): string | undefined {
  if (port === "") return undefined;
  const number = Number(port);
  const isRefused = number < 1024 ? !WEB_PORTS.has(number) : BLOCKED_PORTS.has(number);
  return isRefused ? `port ${port} is not one of the web` : undefined;
}

/** A URL as it may be shown: cut, and without a user name or a password. */
export function showUrl(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const plain = text.replace(/[\0-\x1f\x7f]/g, "\uFFFD").replace(/^([a-z]+:[/\\]*)[^/\\?#]*@/i, "$1");
  return plain.length > 300 ? `${plain.slice(0, 300)}…` : plain;
}
