import { widenPolicy } from "./content-policy.ts";
import { isOpenPage } from "./is-open-page.ts";
import { LIVE_PATH } from "./live-limits.ts";
import { liveScript } from "./live-script.ts";

export interface LivePlace {
  /** Root hash of the tree that was shown. */
  readonly tree: string;
  /** The host of the page, with its port. */
  readonly host: string;
  /** The path before the app's own; empty on a host of its own. */
  readonly prefix: string;
}

/** Whether a browser asks for a page, and not a script of one for a piece of HTML. */
export function asksForPage({ method, headers }: Request): boolean {
  if (method !== "GET") return false;
  const destination = headers.get("sec-fetch-dest");
  // Browsers say it to origins that they trust. To all others they say at least this, of pages only.
  if (destination === null) return headers.get("upgrade-insecure-requests") === "1";
  return /^(document|iframe|frame|embed|object)$/.test(destination);
}

/** What a page must not be kept by: one that is the same as before would be of a tree that is gone. */
export const CONDITIONS: RegExp = /^if-(none-match|modified-since)$/;

/** The first of these is what the script is put before, or into: all that comes after it may already fail. */
const PLACES = ["head", "title", "meta", "link", "script", "style", "body"] as const;

/** Puts the script into a page as it streams by; anything else is left as it is. */
export function addLiveScript(response: Response, { tree, host, prefix }: LivePlace): Response {
  if (!isOpenPage(response)) return response;
  const { headers, body } = response;
  const nonce = crypto.randomUUID();
  const address = `${host}${prefix}${LIVE_PATH}`;
  const additions = { nonce, connect: [`ws://${address}`, `wss://${address}`] };
  const page = new Response(body, response);
  for (const name of ["etag", "last-modified", "content-length"]) page.headers.delete(name);
  page.headers.set("cache-control", "no-store");
  const policy = headers.get("content-security-policy");
  if (policy !== null) page.headers.set("content-security-policy", widenPolicy(policy, additions));

  const script = liveScript({ tree, base: `${prefix}/`, nonce });
  let isIn = false;
  const rewriter = new HTMLRewriter().on("meta[http-equiv]", {
    element(element) {
      if (element.getAttribute("http-equiv")?.toLowerCase() !== "content-security-policy") return;
      element.setAttribute("content", widenPolicy(element.getAttribute("content") ?? "", additions));
    },
  });
  for (const name of PLACES) {
    rewriter.on(name, {
      element(element) {
        if (isIn) return;
        isIn = true;
        if (name === "head") element.prepend(script, { html: true });
        else element.before(script, { html: true });
      },
    });
  }
  rewriter.onDocument({
    end(end) {
      if (!isIn) end.append(script, { html: true });
    },
  });
  return rewriter.transform(page);
}
