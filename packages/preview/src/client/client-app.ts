import type { FileSystem } from "@tenrec/protocol";
import { contentType } from "../assets/content-type.ts";
import { assetIfAny } from "../assets/serve-asset.ts";
import type { AssetsConfig } from "../config/project-config.ts";
import { readTextIfAny } from "../graph/read-if-any.ts";
import { sha256 } from "../graph/sha256.ts";
import type { ModuleContent, ModuleMap } from "../module-content.ts";
import { clientKind, splitQuery } from "./client-path.ts";
import { scopeClasses } from "./css-module.ts";
import { packageAddress } from "./link-client.ts";

export interface ClientParts {
  readonly fs: FileSystem;
  readonly root: string;
  /** The page as it is served. */
  readonly html: string;
  /** Code by name, with a query where there is one. */
  readonly modules: ReadonlyMap<string, string>;
  readonly packages: ModuleMap;
}

const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";
const CSS = "text/css; charset=utf-8";
const ALWAYS = "public, max-age=0, must-revalidate";
const ONCE = "public, max-age=31536000, immutable";

/** What a browser loads of one tree. */
export class ClientApp {
  readonly #parts: ClientParts;
  readonly #packages: ReadonlyMap<string, ModuleContent>;

  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.#packages = new Map([...parts.packages].map(([name, content]) => [packageAddress(name), content]));
  }

  /** The page, a module, a package, a style or a file; undefined for what is none of them. */
  async answer(request: Request): Promise<Response | undefined> {
    if (!/^(?:GET|HEAD)$/.test(request.method)) return undefined;
    const url = new URL(request.url);
    const name = decoded(url.pathname.slice(1));
    if (name === undefined) return undefined;
    if (name === "" || name === "index.html") return this.page(request);
    const content = this.#packages.get(name);
    if (content) return packageResponse(request, name, content);
    const code = this.#parts.modules.get(name + (decoded(url.search) ?? "")) ?? this.#parts.modules.get(name);
    return code === undefined ? this.#file(request, name) : respond(request, code, SCRIPT, ALWAYS);
  }

  /** The page, which is also what a path of the app's own router leads to. */
  page(request: Request): Promise<Response> {
    return respond(request, this.#parts.html, HTML, ALWAYS);
  }

  /** A file as it is, of the folder `public` or of the project. */
  async #file(request: Request, name: string): Promise<Response | undefined> {
    const { fs, root } = this.#parts;
    const folder = (directory: string): AssetsConfig => ({
      directory,
      htmlHandling: "none",
      notFoundHandling: "none",
      runWorkerFirst: false,
    });
    const found = await assetIfAny(fs, folder(fs.resolvePath(root, "public")), request);
    if (found) return found;
    const kind = clientKind(name);
    if (kind === "module-style") {
      const css = await readTextIfAny(fs, fs.resolvePath(root, name));
      if (css === undefined) return undefined;
      return respond(request, scopeClasses(css, (await sha256(css)).slice(0, 8)).css, CSS, ALWAYS);
    }
    // Sources and settings are nobody's business, other than those that a page shows.
    const isShown = kind === "style" || kind === "address";
    return isShown && !splitQuery(name).file.startsWith(".") ? await assetIfAny(fs, folder(root), request) : undefined;
  }
}

function packageResponse(request: Request, name: string, content: ModuleContent): Promise<Response> {
  if ("js" in content) return respond(request, content.js, SCRIPT, ONCE);
  const bytes = "data" in content ? content.data : "wasm" in content ? content.wasm : "";
  return respond(request, bytes, contentType(name) ?? "application/octet-stream", ONCE);
}

async function respond(request: Request, body: string | ArrayBuffer, type: string, caching: string): Promise<Response> {
  const hash = await sha256(typeof body === "string" ? body : new Uint8Array(body));
  const headers = { etag: `"${hash.slice(0, 32)}"`, "content-type": type, "cache-control": caching };
  const known = request.headers.get("if-none-match")?.split(",");
  if (known?.some((tag) => tag.trim().replace(/^W\//, "") === headers.etag)) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(request.method === "HEAD" ? null : body, { headers });
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
