import { isOpenPage } from "../live/is-open-page.ts";

const ATTRIBUTES = ["src", "href", "action", "formaction", "poster"] as const;

/**
 * Makes the addresses in a page that begin at the root of its app begin at `prefix`, and its own scripts and styles those of
 * a page without an origin. What its scripts make up stays.
 */
export function prefixPaths(page: Response, prefix: string): Response {
  if (!isOpenPage(page)) return page;
  const rewriter = new HTMLRewriter();
  for (const name of ATTRIBUTES) {
    rewriter.on(`[${name}^="/"]`, {
      element(element) {
        const value = element.getAttribute(name) ?? "";
        if (!value.startsWith("//")) element.setAttribute(name, prefix + value);
      },
    });
  }
  // Of scripts of another origin, and to this page all are, a browser tells no errors and lets them import nothing.
  rewriter.on("script[src]:not([crossorigin]), link[rel~=stylesheet]:not([crossorigin])", {
    element(element) {
      const address = element.getAttribute("src") ?? element.getAttribute("href") ?? "";
      if (!/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(address.trim())) element.setAttribute("crossorigin", "");
    },
  });
  const { headers } = page;
  headers.delete("content-length");
  headers.delete("etag");
  return rewriter.transform(page);
}
