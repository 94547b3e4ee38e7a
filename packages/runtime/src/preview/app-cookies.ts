/**
 * What a browser keeps an app's cookie under. It takes a cookie of such a name from the very host that it is for, only, so
 * neither the agent's site nor another preview can set one, and of all that comes in, these are the app's own.
 */
const PREFIX = "__Host-app-";

/** What stays of an app's cookie as it is. That it is of one host, and of all its paths, follows from its name. */
const KEPT = /^(expires|max-age|httponly|samesite|partitioned)$/;

/** The app's own cookies, under the names that it gave them; undefined when there are none. */
export function cookiesIn(header: string | null): string | undefined {
  const pairs = (header ?? "").split(/;\s*/).filter((pair) => pair.startsWith(PREFIX));
  return pairs.length > 0 ? pairs.map((pair) => pair.slice(PREFIX.length)).join("; ") : undefined;
}

/** A `Set-Cookie` of an app as a browser may be given it; undefined for one without a name. */
export function cookieOut(header: string): string | undefined {
  const [pair = "", ...attributes] = header.split(";").map((part) => part.trim());
  if (!/^[^=\s]+=/.test(pair)) return undefined;
  const kept = attributes.filter((attribute) => KEPT.test((attribute.split("=")[0] ?? "").trim().toLowerCase()));
  return [PREFIX + pair, "Path=/", "Secure", ...kept].join("; ");
}
