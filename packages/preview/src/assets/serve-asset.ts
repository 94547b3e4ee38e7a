import type { FileSystem } from "@tenrec/protocol";
import type { AssetsConfig, ProjectConfig } from "../config/project-config.ts";
import { readBytesIfAny, readTextIfAny } from "../graph/read-if-any.ts";
import { sha256 } from "../graph/sha256.ts";
import { applyHeaders, parseHeaders } from "./asset-headers.ts";
import { contentType } from "./content-type.ts";
import { findAsset } from "./find-asset.ts";
import { isKnown } from "./is-known.ts";
import { findRedirect, parseRedirects } from "./redirects.ts";

/** Files that say how assets are served, and are none. */
const CONTROL = new Set(["/_headers", "/_redirects", "/.assetsignore"]);

/** In a project, settings and secrets such as `.dev.vars`, the history, and what is installed. */
const PRIVATE = /\/(?:\.(?!well-known\/)|node_modules\/)/;

/** More rules than a deployed Worker may have are not read. */
const MOST_CONTROL = 200_000;

/** Answers as static assets do, to the end: with what is configured for paths that lead nowhere, too. */
export async function serveAsset(fs: FileSystem, assets: AssetsConfig, request: Request): Promise<Response> {
  return withHeaders(fs, assets, request, (await answer(fs, assets, request)) ?? new Response(null, { status: 404 }));
}

/** The same; undefined for a request that leads nowhere, for which nothing is configured. */
export async function assetIfAny(
  fs: FileSystem,
  assets: AssetsConfig,
  request: Request,
): Promise<Response | undefined> {
  const response = await answer(fs, assets, request);
  return response && withHeaders(fs, assets, request, response);
}

async function answer(fs: FileSystem, assets: AssetsConfig, request: Request): Promise<Response | undefined> {
  const url = new URL(request.url);
  const rule = findRedirect(parseRedirects(await controlText(fs, assets, "_redirects")), url.pathname);
  if (rule && rule.status !== 200) return redirectTo(new URL(rule.to, url), rule.status, url);
  const pathname = rule ? new URL(rule.to, url).pathname : url.pathname;
  const path = decoded(pathname);
  const exists = (file: string): Promise<boolean> => isFile(fs, assets, file);
  const found = await findAsset(path, assets.htmlHandling, exists);
  const fallback = found ? undefined : await notFound(path, assets, exists);
  const match = found ?? fallback;
  // Who is sent to a path by a rule is not answered by the Worker in its place.
  if (!match) return rule ? new Response(null, { status: 404 }) : undefined;
  if (!/^(GET|HEAD)$/.test(request.method)) return new Response(null, { status: 405 });
  const location = encoded("redirect" in match ? match.redirect : path);
  // There is one way to write each path.
  if ("redirect" in match || location !== pathname) {
    return new Response(null, { status: 307, headers: { location: location + url.search } });
  }
  return fileResponse(fs, assets, match.file, request, fallback?.status ?? 200);
}

/** The file of the tree that a path is answered with; undefined where it is no file, or leads elsewhere first. */
export async function assetFile(fs: FileSystem, assets: AssetsConfig, path: string): Promise<string | undefined> {
  const exists = (file: string): Promise<boolean> => isFile(fs, assets, file);
  const match = (await findAsset(path, assets.htmlHandling, exists)) ?? (await notFound(path, assets, exists));
  return match && "file" in match ? place(fs, assets, match.file) : undefined;
}

/** The query goes on, unless the rule has one. */
function redirectTo(to: URL, status: number, { origin, search }: URL): Response {
  const { pathname, hash, href } = to;
  const base = to.origin === origin ? pathname : href.slice(0, href.length - to.search.length - hash.length);
  return new Response(null, { status, headers: { location: base + (to.search || search) + hash } });
}

/** What a file says of how assets are served; empty where there is none. */
async function controlText(fs: FileSystem, { directory }: AssetsConfig, name: string): Promise<string> {
  const text = await readTextIfAny(fs, fs.resolvePath(directory, name));
  return (text ?? "").slice(0, MOST_CONTROL);
}

async function withHeaders(
  fs: FileSystem,
  assets: AssetsConfig,
  request: Request,
  response: Response,
): Promise<Response> {
  applyHeaders(parseHeaders(await controlText(fs, assets, "_headers")), new URL(request.url), response.headers);
  return response;
}

interface NotFoundMatch {
  readonly file: string;
  readonly status: 200 | 404;
}

/** The page for paths that lead nowhere; undefined where there is none. */
async function notFound(
  path: string,
  { notFoundHandling }: AssetsConfig,
  exists: (file: string) => Promise<boolean>,
): Promise<NotFoundMatch | undefined> {
  if (notFoundHandling === "single-page-application" && (await exists("/index.html"))) {
    return { file: "/index.html", status: 200 };
  }
  if (notFoundHandling !== "404-page") return undefined;
  let folder = path;
  while (folder !== "") {
    folder = folder.slice(0, folder.lastIndexOf("/"));
    if (await exists(`${folder}/404.html`)) return { file: `${folder}/404.html`, status: 404 };
  }
  return undefined;
}

/** Whether assets answer also where there are none, as is configured, before a Worker is asked. */
export function answersNotFound({ runWorkerFirst }: AssetsConfig, request: Request, config: NavigationConfig): boolean {
  // Who lists paths for the Worker has said what goes where.
  if (typeof runWorkerFirst !== "boolean") return true;
  const { compatibilityDate: date, compatibilityFlags: flags } = config;
  const prefers = date >= "2025-04-01" && !flags.includes("assets_navigation_has_no_effect");
  if (!prefers && !flags.includes("assets_navigation_prefers_asset_serving")) return false;
  return request.headers.get("sec-fetch-mode") === "navigate";
}

/** What of a configuration says whether navigation matters: https://developers.cloudflare.com/workers/configuration/compatibility-flags/ */
type NavigationConfig = Pick<ProjectConfig, "compatibilityDate" | "compatibilityFlags">;

/** The path in the tree; undefined for one that leaves the folder of assets, or is none of them. */
function place(fs: FileSystem, { directory, isWholeProject }: AssetsConfig, path: string): string | undefined {
  if (path.includes("\0") || path.includes("//") || CONTROL.has(path)) return undefined;
  if (isWholeProject && PRIVATE.test(path)) return undefined;
  const folder = directory === "/" ? "" : directory;
  const at = fs.resolvePath("/", `${folder}/${path}`);
  return at.startsWith(`${folder}/`) ? at : undefined;
}

async function isFile(fs: FileSystem, assets: AssetsConfig, path: string): Promise<boolean> {
  const at = place(fs, assets, path);
  if (at === undefined) return false;
  return fs.stat(at).then(
    ({ type }) => type === "file",
    () => false,
  );
}

async function fileResponse(
  fs: FileSystem,
  assets: AssetsConfig,
  path: string,
  request: Request,
  status: number,
): Promise<Response> {
  const at = place(fs, assets, path);
  const bytes = at === undefined ? undefined : await readBytesIfAny(fs, at);
  if (!bytes) return new Response(null, { status: 404 });
  const type = contentType(path);
  const tag = `"${(await sha256(bytes)).slice(0, 32)}"`;
  const headers = {
    etag: tag,
    ...(request.headers.has("range") ? {} : { "cache-control": "public, max-age=0, must-revalidate" }),
    ...(type === undefined ? {} : { "content-type": type }),
  };
  if (isKnown(request, tag)) return new Response(null, { status: 304, headers });
  const body = request.method === "HEAD" ? null : (bytes as Uint8Array<ArrayBuffer>);
  return new Response(body, { status, headers });
}

/** Each part by itself: one that cannot be decoded stays as it is. Slashes that follow one another are one. */
function decoded(pathname: string): string {
  const part = (text: string): string => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };
  return pathname.split("/").map(part).join("/").replaceAll(/\/+/g, "/");
}

function encoded(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
