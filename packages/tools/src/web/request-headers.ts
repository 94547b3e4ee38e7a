import { TenrecError } from "@tenrec/protocol";

/** What the connection or the platform says, and what makes a server believe that somebody else asks. */
const NOT_OURS =
  /^(host|connection|content-length|expect|forwarded|keep-alive|te|trailer|transfer-encoding|upgrade|via|x-real-ip|proxy-.*|cf-.*|cdn-loop|x-forwarded-.*)$/;

/** What says nothing about who asks: all that goes with a redirect to another origin. */
const HARMLESS: ReadonlySet<string> = new Set([
  "accept",
  "accept-language",
  "content-type",
  "if-modified-since",
  "if-none-match",
  "range",
  "user-agent",
]);

/** The headers of a request. Throws `egress-refused` for one that a caller cannot set, and for what is no header. */
export function requestHeaders(url: string, given: Readonly<Record<string, string>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    const refuse = (reason: string): never => {
      throw new TenrecError("egress-refused", { url, reason });
    };
    if (NOT_OURS.test(name.toLowerCase())) refuse(`the header ${name} cannot be set`);
    try {
      headers.set(name, value);
    } catch {
      refuse(`${JSON.stringify(name)} with this value is no header`);
    }
  }
  return headers;
}

/** Takes out of the headers what another origin must not see. */
export function keepHarmless(headers: Headers): void {
  // The list is made before it is shortened.
  for (const name of Array.from(headers.keys())) if (!HARMLESS.has(name)) headers.delete(name);
}

/** Takes out what describes a body that is not sent any more. */
export function dropBodyHeaders(headers: Headers): void {
  for (const name of ["content-type", "content-encoding", "content-language"]) headers.delete(name);
}
