import type { Problem } from "../problem.ts";
import type { Exception } from "./map-stack.ts";

/** Answers with what keeps an app from being shown: a page for a browser, text for everything else. */
export function problemsResponse(request: Request, problems: readonly Problem[]): Response {
  return errorResponse(request, "This app cannot be built", problems.map(problemLine).join("\n"));
}

/** Answers with what an app threw. */
export function exceptionResponse(request: Request, exception: Exception, status = 500): Response {
  const { name, message, stack } = exception;
  const title = status === 504 ? "The app did not answer" : "The app threw an exception";
  return errorResponse(request, title, `${name}: ${message}\n${stack}`, status);
}

/** Answers for an app that may not be loaded. */
export function refusedResponse(request: Request, reason: string): Response {
  return errorResponse(request, "This app was not loaded", reason, 429);
}

/** A problem in one line, as compilers write it. */
export function problemLine({ path, line, column, message }: Problem): string {
  const place = path === undefined ? "" : `${path.slice(1)}${line === undefined ? "" : `:${line}:${column ?? 1}`}: `;
  return place + message;
}

function errorResponse(request: Request, title: string, text: string, status = 500): Response {
  const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  if (!request.headers.get("accept")?.includes("text/html")) {
    return new Response(`${title}\n\n${text}\n`, {
      status,
      headers: { ...headers, "content-type": "text/plain;charset=utf-8" },
    });
  }
  return new Response(page(title, text), {
    status,
    headers: { ...headers, "content-type": "text/html;charset=utf-8" },
  });
}

function page(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<style>
  body { margin: 2rem; font: 1rem/1.5 system-ui, sans-serif; color-scheme: light dark; }
  h1 { font-size: 1.25rem; color: #c22; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
</style>
<h1>${escape(title)}</h1>
<pre>${escape(text)}</pre>
`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
