import { TenrecError } from "@tenrec/protocol";
import { quote } from "./git-path.ts";

/**
 * The URL of a repository without what must not be stored. `git-refused` for anything but `https:`, for `http:` to a host
 * that is not in `insecureHosts`, and for one with a user name or a password in it.
 */
export function checkRemoteUrl(text: string, insecureHosts: readonly string[] = []): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const refuse = (reason: string): never => {
    throw new TenrecError("git-refused", { what: `the address ${quote(withoutSecrets(text))}`, reason });
  };
  // Anywhere: a `/` in a password makes a path of its rest.
  if (text.includes("@")) {
    return refuse("an @ is for a user name or a password; set GIT_TOKEN instead, and use https");
  }
  if (url === undefined) return refuse("it is not a URL; git is spoken over https only");
  if (url.protocol === "http:" && !insecureHosts.includes(url.host)) return refuse("it is without TLS; use https");
  if (url.protocol !== "https:" && url.protocol !== "http:") return refuse("git is spoken over https only");
  url.hash = "";
  if (url.search !== "") return refuse("it has a query, which could be a password");
  url.pathname = url.pathname.replace(/\/+$/, "");
  return url;
}

/** A text without what may be secret in the URLs in it: users, passwords and queries. */
export function withoutSecrets(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)(\S*@)?([^\s?#'"]*)([?#][^\s'"]*)?/gi, "$1$3");
}
