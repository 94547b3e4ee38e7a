const ATTRIBUTES = ["src", "href", "action", "formaction", "poster"] as const;

/** Makes the addresses in a page that begin at the root of its app begin at `prefix`. Those that its scripts make up stay. */
export function prefixPaths(page: Response, prefix: string): Response {
  if (
    !page.body ||
    page.headers.has("content-encoding") ||
    !/^text\/html\b/i.test(page.headers.get("content-type") ?? "")
  ) {
    return page;
  }
  const rewriter = new HTMLRewriter();
  for (const name of ATTRIBUTES) {
    rewriter.on(`[${name}^="/"]`, {
      element(element) {
        const value = element.getAttribute(name) ?? "";
        if (!value.startsWith("//")) element.setAttribute(name, prefix + value);
      },
    });
  }
  const { headers } = page;
  headers.delete("content-length");
  headers.delete("etag");
  return rewriter.transform(page);
}
