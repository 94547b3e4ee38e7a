import type { HtmlHandling } from "../config/project-config.ts";

/** A file to answer with, or where the page is instead; both as paths below the folder of assets. */
export type AssetMatch = { readonly file: string } | { readonly redirect: string };

type Exists = (path: string) => Promise<boolean>;

/** Each step says: if this file is there, answer so. */
type Step = readonly [file: string, match: AssetMatch];

/** What static assets answer to a decoded path, by the way in which they handle pages. Undefined when there is nothing. */
export async function findAsset(path: string, handling: HtmlHandling, exists: Exists): Promise<AssetMatch | undefined> {
  for (const [file, match] of steps(path, handling)) {
    if (!(await exists(file))) continue;
    if ("file" in match || (await leadsTo(match.redirect, file, handling, exists))) return match;
  }
  return undefined;
}

/** Whether a path is answered with this file, and without another redirect: only then it is where the page is. */
async function leadsTo(path: string, file: string, handling: HtmlHandling, exists: Exists): Promise<boolean> {
  if (await exists(path)) return false;
  for (const [candidate, match] of steps(path, handling)) {
    if ("file" in match && (await exists(candidate))) return candidate === file;
  }
  return false;
}

function steps(path: string, handling: HtmlHandling): Step[] {
  switch (handling) {
    case "none":
      return [serve(path)];
    case "auto-trailing-slash":
      return [...autoSteps(path), serve(path), serve(`${path}.html`), send(`${path}/index.html`, `${path}/`)];
    case "drop-trailing-slash":
      return [...dropSteps(path), serve(path), serve(`${path}.html`), serve(`${path}/index.html`)];
    case "force-trailing-slash":
      return [
        ...forceSteps(path),
        serve(path),
        send(`${path}.html`, `${path}/`),
        send(`${path}/index.html`, `${path}/`),
      ];
  }
}

function serve(file: string): Step {
  return [file, { file }];
}

function send(file: string, redirect: string): Step {
  return [file, { redirect: redirect === "" ? "/" : redirect }];
}

/** Pages without a slash are files, those with one are folders. */
function autoSteps(path: string): Step[] {
  const { ends, base } = shape(path);
  switch (ends) {
    case "index":
      return [serve(path), send(`${path}.html`, `${base}/`), send(`${base}.html`, base)];
    case "index.html":
      return [send(path, `${base}/`), send(`${base}.html`, base)];
    case "slash":
      return [serve(`${path}index.html`), send(`${base}.html`, base)];
    case "html":
      return [send(path, base), send(`${base}/index.html`, `${base}/`)];
    case "plain":
      return [];
  }
}

function dropSteps(path: string): Step[] {
  const { ends, base } = shape(path);
  const both = [send(`${base}.html`, base), send(`${base}/index.html`, base)];
  switch (ends) {
    case "index":
      return [serve(path), ...both];
    case "index.html":
      // Of the root, this is all that there is.
      return base === "" ? [send(path, base)] : [send(path, base), serve(path), send(`${base}.html`, base)];
    case "slash":
      return path === "/" ? [serve("/index.html")] : both;
    case "html":
      return both;
    case "plain":
      return [];
  }
}

function forceSteps(path: string): Step[] {
  const { ends, base } = shape(path);
  const folder = `${base}/`;
  switch (ends) {
    case "index":
      return [serve(path), send(`${path}.html`, folder), send(`${base}.html`, folder)];
    case "index.html":
      return [send(path, folder), send(`${base}.html`, folder)];
    case "slash":
      return [serve(`${path}index.html`), serve(`${base}.html`)];
    case "html":
      return [send(path, folder), serve(path), send(`${base}/index.html`, folder)];
    case "plain":
      return [];
  }
}

interface Shape {
  readonly ends: "index" | "index.html" | "slash" | "html" | "plain";
  /** The path without that end. */
  readonly base: string;
}

function shape(path: string): Shape {
  const ends = [
    ["/index.html", "index.html"],
    ["/index", "index"],
    ["/", "slash"],
    [".html", "html"],
  ] as const;
  const found = ends.find(([text]) => path.endsWith(text));
  return found ? { ends: found[1], base: path.slice(0, -found[0].length) } : { ends: "plain", base: path };
}
