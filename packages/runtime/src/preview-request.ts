/** Where an object is asked for a page of one of its previews; the router lets nothing else in there. */
export const PREVIEW_URL = "http://preview.invalid/agents/-/-/preview";

/** The session, and the URL that the app is to see, each as an encoded component of a URL. */
export const PREVIEW_HEADERS = { session: "tenrec-preview-session", url: "tenrec-preview-url" } as const;

/** The request that the router wrapped; undefined for any other. */
export function previewRequest(request: Request): { session: string; request: Request } | undefined {
  const session = request.headers.get(PREVIEW_HEADERS.session);
  const url = request.headers.get(PREVIEW_HEADERS.url);
  if (session === null || url === null) return undefined;
  const headers = new Headers(request.headers);
  for (const name of Object.values(PREVIEW_HEADERS)) headers.delete(name);
  const inner = new Request(new Request(decodeURIComponent(url), request), { headers, redirect: "manual" });
  return { session: decodeURIComponent(session), request: inner };
}
