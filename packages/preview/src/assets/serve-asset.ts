import type { FileSystem } from "@tenrec/protocol";
import type { AssetsConfig } from "../config/project-config.ts";
import { readBytesIfAny, readTextIfAny } from "../graph/read-if-any.ts";
import { sha256 } from "../graph/sha256.ts";
import { applyHeaders, parseHeaders } from "./asset-headers.ts";
import { contentType } from "./content-type.ts";
import { findAsset } from "./find-asset.ts";
import { findRedirect, parseRedirects } from "./redirects.ts";

/** Files that say how assets are served, and are none. */
const CONTROL = new Set(["/_headers", "/_redirects", "/.assetsignore"]);

/** More rules than a deployed Worker may have are not read. */
const MOST_CONTROL = 200_000;

/** Answers as static assets do, to the end: with what is configured for paths that lead nowhere, too. */
export async function serveAsset(fs: FileSystem, assets: AssetsConfig, request: Request): Promise<Response> {
  return (await assetIfAny(fs, assets, request)) ?? notFound(fs, assets, request);
}

/**
 * The asset for a request, or the redirect to it; undefined when there is none, or when the request is of a kind that assets
 * do not answer.
 */
export async function assetIfAny(
  fs: FileSystem,
  assets: AssetsConfig,
  request: Request,
): Promise<Response | undefined> {
  if (!/^(GET|HEAD)$/.test(request.method)) return undefined;
  const url = new URL(request.url);
  const rule = findRedirect(parseRedirects(await controlText(fs, assets, "_redirects")), url.pathname);
  if (rule && rule.status !== 200) return redirectTo(rule.to, rule.status, url.search);
  const path = decoded(rule ? rule.to : url.pathname);
  if (path === undefined) return undefined;
  const match = await findAsset(path, assets.htmlHandling, (file) => isFile(fs, assets, file));
  if (!match) return undefined;
  if ("file" in match) return fileResponse(fs, assets, match.file, request, 200);
  const location = encodeURI(match.redirect).replaceAll("?", "%3F").replaceAll("#", "%23") + url.search;
  return new Response(null, { status: 307, headers: { location } });
}

/** The query goes on, unless the rule has one. */
function redirectTo(to: string, status: number, search: string): Response {
  const location = to.includes("?") ? to : to.replace(/(#.*)?$/, (hash) => search + hash);
  return new Response(null, { status, headers: { location } });
}

/** What a file says of how assets are served; empty where there is none. */
async function controlText(fs: FileSystem, { directory }: AssetsConfig, name: string): Promise<string> {
  const text = await readTextIfAny(fs, fs.resolvePath(directory, name));
  return (text ?? "").slice(0, MOST_CONTROL);
}

async function notFound(fs: FileSystem, assets: AssetsConfig, request: Request): Promise<Response> {
  if (!/^(GET|HEAD)$/.test(request.method)) return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
  if (assets.notFoundHandling === "single-page-application" && (await isFile(fs, assets, "/index.html"))) {
    return fileResponse(fs, assets, "/index.html", request, 200);
  }
  if (assets.notFoundHandling === "404-page") {
    let folder = decoded(new URL(request.url).pathname) ?? "/";
    while (folder !== "") {
      folder = folder.slice(0, folder.lastIndexOf("/"));
      if (await isFile(fs, assets, `${folder}/404.html`)) {
        return fileResponse(fs, assets, `${folder}/404.html`, request, 404);
      }
    }
  }
  return new Response(null, { status: 404 });
}

/** Whether a page that a browser goes to is answered by the assets although there is none: then the Worker is not asked. */
export function answersNavigation(assets: AssetsConfig, request: Request, date: string): boolean {
  const since = date >= "2025-04-01";
  return since && assets.notFoundHandling !== "none" && request.headers.get("sec-fetch-mode") === "navigate";
}

/** The path in the tree; undefined for one that leaves the folder of assets, or is none of them. */
function place(fs: FileSystem, { directory }: AssetsConfig, path: string): string | undefined {
  const folder = directory === "/" ? "" : directory;
  const at = fs.resolvePath("/", `${folder}/${path}`);
  return at.startsWith(`${folder}/`) && !CONTROL.has(path) && !path.includes("\0") ? at : undefined;
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
  const headers = new Headers({
    etag: tag,
    "cache-control": "public, max-age=0, must-revalidate",
    ...(type === undefined ? {} : { "content-type": type }),
  });
  applyHeaders(parseHeaders(await controlText(fs, assets, "_headers")), new URL(request.url), headers);
  const known = request.headers
    .get("if-none-match")
    ?.split(",")
    .map((each) => each.trim().replace(/^W\//, ""));
  if (status === 200 && known?.includes(tag)) return new Response(null, { status: 304, headers });
  const body = request.method === "HEAD" ? null : (bytes as Uint8Array<ArrayBuffer>);
  return new Response(body, { status, headers });
}

function decoded(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
}
