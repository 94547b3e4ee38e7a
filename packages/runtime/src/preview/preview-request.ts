/** Where an object is asked for a page of one of its previews; the router lets nothing else in there. */
export const PREVIEW_URL = "http://preview.invalid/agents/-/-/preview";

/** Where it is asked for a socket that tells a page of changes. */
export const LIVE_URL = "http://preview.invalid/agents/-/-/preview-live";

/** The link that was followed, and the URL that the app is to see as an encoded component of a URL. */
export const PREVIEW_HEADERS = { link: "tenrec-preview-link", url: "tenrec-preview-url" } as const;

/** In an answer: the tree that was shown, when a page of it is to be told of changes. */
export const TREE_HEADER = "tenrec-preview-tree";

/** The request that the router wrapped; undefined for any other. */
export function previewRequest(request: Request): { link: number; request: Request } | undefined {
  const link = request.headers.get(PREVIEW_HEADERS.link);
  const url = request.headers.get(PREVIEW_HEADERS.url);
  if (link === null || url === null) return undefined;
  const headers = new Headers(request.headers);
  for (const name of Object.values(PREVIEW_HEADERS)) headers.delete(name);
  const inner = new Request(new Request(decodeURIComponent(url), request), { headers, redirect: "manual" });
  return { link: Number(link), request: inner };
}
