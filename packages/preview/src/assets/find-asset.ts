import type { HtmlHandling } from "../config/project-config.ts";

/** A file to answer with, or where the page is instead; both as paths below the folder of assets. */
export type AssetMatch = { readonly file: string } | { readonly redirect: string };

type Exists = (path: string) => Promise<boolean>;

/** Each step says: if this file is there, answer so. */
type Step = readonly [file: string, match: AssetMatch];

/** What static assets answer to a decoded path, by the way in which they handle pages. Undefined when there is nothing. */
export async function findAsset(path: string, handling: HtmlHandling, exists: Exists): Promise<AssetMatch | undefined> {
  for (const [file, match] of steps(path, handling)) {
    // A path leads to itself nowhere.
    if ("redirect" in match && match.redirect === path) continue;
    if (await exists(file)) return match;
  }
  return undefined;
}

function steps(path: string, handling: HtmlHandling): Step[] {
  switch (handling) {
    case "none":
      return [serve(path)];
    case "auto-trailing-slash":
      return autoSteps(path);
    case "drop-trailing-slash":
      return dropSteps(path);
    case "force-trailing-slash":
      return forceSteps(path);
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
  const kind = shape(path);
  switch (kind.ends) {
    case "index":
      return [serve(path), send(`${path}.html`, `${kind.base}/`), send(`${kind.base}.html`, kind.base)];
    case "index.html":
      return [send(path, `${kind.base}/`), send(`${kind.base}.html`, kind.base)];
    case "slash":
      return [serve(`${path}index.html`), send(`${kind.base}.html`, kind.base)];
    case "html":
      return [send(path, kind.base), send(`${kind.base}/index.html`, `${kind.base}/`)];
    case "plain":
      return [serve(path), serve(`${path}.html`), send(`${path}/index.html`, `${path}/`)];
  }
}

function dropSteps(path: string): Step[] {
  const kind = shape(path);
  const both = [send(`${kind.base}.html`, kind.base), send(`${kind.base}/index.html`, kind.base)];
  switch (kind.ends) {
    case "index":
      return [serve(path), ...both];
    case "index.html":
    case "html":
      return both;
    case "slash":
      return path === "/" ? [serve("/index.html")] : both;
    case "plain":
      return [serve(path), serve(`${path}.html`), serve(`${path}/index.html`)];
  }
}

function forceSteps(path: string): Step[] {
  const kind = shape(path);
  const both = [send(`${kind.base}/index.html`, `${kind.base}/`), send(`${kind.base}.html`, `${kind.base}/`)];
  switch (kind.ends) {
    case "index":
      return [serve(path), ...both];
    case "index.html":
    case "html":
      return both;
    case "slash":
      return [serve(`${path}index.html`), serve(`${kind.base}.html`)];
    case "plain":
      return [serve(path), ...both];
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
