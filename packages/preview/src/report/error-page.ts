import type { FileSystem } from "@tenrec/protocol";
import type { Problem } from "../problem.ts";
import { codeLines } from "./code-lines.ts";
import type { Exception } from "./map-stack.ts";

/** Answers with what keeps an app from being shown: a page for a browser, text for everything else. */
export async function problemsResponse(
  request: Request,
  problems: readonly Problem[],
  fs: FileSystem,
): Promise<Response> {
  const shown = problems.slice(0, MOST_FRAMES);
  const frames = await Promise.all(shown.map(({ path, line }) => codeFrame(fs, path, line)));
  const parts = problems.map((problem, index) => ({ text: problemLine(problem), frame: frames[index] ?? "" }));
  return errorResponse(request, "This app cannot be built", parts);
}

/** Answers with what an app threw. */
export async function exceptionResponse(
  request: Request,
  exception: Exception,
  fs: FileSystem,
  status = 500,
): Promise<Response> {
  const { name, message, stack, at } = exception;
  const frame = await codeFrame(fs, at?.path, at?.line);
  const title = status === 504 ? "The app did not answer" : "The app threw an exception";
  return errorResponse(request, title, [{ text: `${name}: ${message}\n${stack}`, frame }], { status });
}

/** Answers for an app that may not be loaded. */
export function refusedResponse(request: Request, reason: string): Response {
  const parts = [{ text: reason, frame: "" }];
  return errorResponse(request, "This app was not loaded", parts, {
    status: 429,
    until: "Load this page again when the budget has been raised.",
  });
}

/** A piece of an error, and the lines of code around it; empty where there are none. */
interface Part {
  readonly text: string;
  readonly frame: string;
}

/** A problem in one line, as compilers write it. */
export function problemLine({ path, line, column, message }: Problem): string {
  const place = path === undefined ? "" : `${path.slice(1)}${line === undefined ? "" : `:${line}:${column ?? 1}`}: `;
  return place + message;
}

interface ErrorOptions {
  readonly status?: number;
  /** When the page goes away. A page that is open is loaded again when the files change. */
  readonly until?: string;
}

function errorResponse(
  request: Request,
  title: string,
  parts: readonly Part[],
  {
    status = 500,
    until = "The agent can see this too: ask it to mend it. This page goes away by itself when the files change.",
  }: ErrorOptions = {},
): Response {
  const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  if (!request.headers.get("accept")?.includes("text/html")) {
    return new Response(`${title}\n\n${parts.map(({ text }) => text).join("\n")}\n`, {
      status,
      headers: { ...headers, "content-type": "text/plain;charset=utf-8" },
    });
  }
  return new Response(page(title, parts, until), {
    status,
    headers: { ...headers, "content-type": "text/html;charset=utf-8" },
  });
}

function page(title: string, parts: readonly Part[], until: string): string {
  const shown = parts.map(({ text, frame }) => {
    const code = frame === "" ? "" : `<pre class="code">${frame}</pre>`;
    return `<section><pre>${escape(text)}</pre>${code}</section>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<style>
  :root { color-scheme: light dark; --line: light-dark(#ddd, #444); --mark: light-dark(#fde8e8, #4a1f22); }
  html { background: Canvas; color: CanvasText; }
  body { max-width: 60rem; margin: 3rem auto; padding: 0 1.5rem; font: 1rem/1.5 system-ui, sans-serif; }
  h1 { font-size: 1.25rem; color: light-dark(#b3151f, #ff8a8a); }
  section { margin: 1rem 0; border: 1px solid var(--line); border-radius: 0.5rem; overflow: hidden; }
  pre { margin: 0; padding: 0.75rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.9rem; }
  .code { border-top: 1px solid var(--line); padding: 0.75rem 0; white-space: pre; overflow-x: auto; }
  .code span { display: block; box-sizing: border-box; width: max-content; min-width: 100%; padding: 0 1rem; }
  .code .here { background: var(--mark); }
  p { color: light-dark(#666, #aaa); font-size: 0.9rem; }
</style>
<h1>${escape(title)}</h1>
${shown.join("\n")}
<p>${escape(until)}</p>
`;
}

/** Problems that are shown with code. */
const MOST_FRAMES = 5;

/** The lines around one of a file, as HTML; empty for a place that is none. */
async function codeFrame(fs: FileSystem, path: string | undefined, line: number | undefined): Promise<string> {
  const lines = path === undefined || line === undefined ? [] : await codeLines(fs, path, line);
  return lines
    .map(({ number, text, isHere }) => `<span${isHere ? ' class="here"' : ""}>${number}  ${escape(text)}</span>`)
    .join("");
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
