import { GREATEST_LOWER_BOUND, LEAST_UPPER_BOUND, originalPositionFor, type TraceMap } from "@jridgewell/trace-mapping";
import type { FileSystem } from "@tenrec/protocol";
import type { Dependencies } from "../deps/dependencies.ts";
import { contentType } from "../assets/content-type.ts";
import { isKnown } from "../assets/is-known.ts";
import { assetIfAny } from "../assets/serve-asset.ts";
import type { AssetsConfig } from "../config/project-config.ts";
import { readTextIfAny } from "../graph/read-if-any.ts";
import { sha256 } from "../graph/sha256.ts";
import type { PackageFile } from "../graph/read-package.ts";
import type { ModuleContent, ModuleMap } from "../module-content.ts";
import { inlineMap } from "../report/source-map-comment.ts";
import { clientKind, splitQuery } from "./client-path.ts";
import type { Compiled, PageCompiler } from "./compile/page-compiler.ts";
import { classCandidates, isTailwind, readTailwindSheet } from "./compile/tailwind-sheet.ts";
import { scopeClasses } from "./css-module.ts";
import { packageAddress, packageName } from "./link-client.ts";

export interface ClientParts {
  readonly fs: FileSystem;
  readonly root: string;
  /** The page as it is served. */
  readonly html: string;
  /** Where a module that stood in the page was, by its name; undefined for any other. */
  readonly inline: (name: string) => Omit<Place, "path"> | undefined;
  /** Code by name, with a query where there is one. */
  readonly modules: ReadonlyMap<string, string>;
  readonly packages: ModuleMap;
  /** Finds the files of packages. */
  readonly locate?: Dependencies["locate"];
  readonly manifest: PackageFile;
  readonly compiler: PageCompiler | undefined;
}

/** Line and column from 1. */
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

const PAGE = "index.html";
const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";
const CSS = "text/css; charset=utf-8";
const ALWAYS = "public, max-age=0, must-revalidate";
const ONCE = "public, max-age=31536000, immutable";

/** What a browser loads of one tree. */
export class ClientApp {
  readonly #parts: ClientParts;
  readonly #packages: ReadonlyMap<string, ModuleContent>;
  /** Those of components that were asked for, by path. */
  readonly #maps = new Map<string, TraceMap | undefined>();

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
    if (name === "" || name === PAGE) return this.page(request);
    const content = this.#packages.get(name);
    if (content) return packageResponse(request, name, content);
    const code = this.#parts.modules.get(name + (decoded(url.search) ?? "")) ?? this.#parts.modules.get(name);
    return code === undefined ? this.#file(request, name) : respond(request, code, SCRIPT, ALWAYS);
  }

  /** The page, which is also what a path of the app's own router leads to. */
  page(request: Request): Promise<Response> {
    return respond(request, this.#parts.html, HTML, ALWAYS);
  }

  /**
   * The place of the tree that a place of what a browser loaded is from. Lines of modules and of the page are those of their
   * files; components have a source map. Undefined for what is none of it.
   */
  locate({ path, line, column }: Place): Place | undefined {
    const name = splitQuery(path.slice(1)).file;
    const { fs, root, modules, inline, locate } = this.#parts;
    if (this.#packages.has(name)) {
      const found = locate?.(packageName(name), line);
      return found && { ...found, column };
    }
    const start = inline(name);
    if (start) {
      const onFirst = line === 1 ? start.column - 1 : 0;
      return { path: fs.resolvePath(root, PAGE), line: start.line + line - 1, column: column + onFirst };
    }
    const code = modules.get(name);
    const file = code === undefined ? PAGE : name;
    // What is no module and has no ending is a path of the app's router, which leads to the page.
    if (code === undefined && name !== PAGE && /\.[^/]*$/.test(name)) return undefined;
    const place = { path: fs.resolvePath(root, file), line, column };
    return code !== undefined && /\.(vue|svelte(\.[jt]s)?)$/.test(name) ? this.#inComponent(code, place) : place;
  }

  #inComponent(code: string, { path, line, column }: Place): Place {
    const map = this.#maps.get(path) ?? inlineMap(code);
    this.#maps.set(path, map);
    for (const bias of [GREATEST_LOWER_BOUND, LEAST_UPPER_BOUND] as const) {
      const found = map && originalPositionFor(map, { line, column: column - 1, bias });
      if (found && found.line !== null) return { path, line: found.line, column: found.column + 1 };
    }
    // What a compiler adds is from no line.
    return { path, line: 1, column: 1 };
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
    const isStyle = kind === "style" || kind === "module-style";
    const css = isStyle ? await readTextIfAny(fs, fs.resolvePath(root, name)) : undefined;
    if (css !== undefined) return this.#style(request, name, css, kind === "module-style");
    // Sources and settings are nobody's business, other than those that a page shows.
    return kind === "address" && !splitQuery(name).file.startsWith(".")
      ? await assetIfAny(fs, folder(root), request)
      : undefined;
  }

  async #style(request: Request, name: string, source: string, isModule: boolean): Promise<Response> {
    const made = isTailwind(source) ? await this.#tailwind(name, source) : { code: source };
    if ("problem" in made) {
      // As a comment at least, for who looks at what came in place of the style.
      const text = `/* ${name}: ${made.problem.message.replaceAll("*/", "* /")} */`;
      return new Response(text, { status: 500, headers: { "content-type": CSS, "cache-control": "no-store" } });
    }
    const css = isModule ? scopeClasses(made.code, (await sha256(source)).slice(0, 8)).css : made.code;
    return respond(request, css, CSS, ALWAYS);
  }

  async #tailwind(name: string, source: string): Promise<Compiled | { readonly code: string }> {
    const { compiler, fs, root, html, manifest, modules } = this.#parts;
    if (!compiler) return { code: source };
    const { sheets, styles, plugins } = await readTailwindSheet(fs, fs.resolvePath(root, name), source);
    const candidates = classCandidates([html, ...modules.values()]);
    return compiler.compile({
      language: "tailwind",
      manifest,
      input: { filename: name, source, id: name, sheets, candidates },
      packages: { styles, plugins },
      signal: AbortSignal.timeout(COMPILE_MS),
    });
  }
}

/** A style sheet is a matter of seconds at most. */
const COMPILE_MS = 30_000;

function packageResponse(request: Request, name: string, content: ModuleContent): Promise<Response> {
  if ("js" in content) return respond(request, content.js, SCRIPT, ONCE);
  const bytes = "data" in content ? content.data : "wasm" in content ? content.wasm : "";
  return respond(request, bytes, contentType(name) ?? "application/octet-stream", ONCE);
}

async function respond(request: Request, body: string | ArrayBuffer, type: string, caching: string): Promise<Response> {
  const hash = await sha256(typeof body === "string" ? body : new Uint8Array(body));
  const headers = { etag: `"${hash.slice(0, 32)}"`, "content-type": type, "cache-control": caching };
  if (isKnown(request, headers.etag)) return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : body, { headers });
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
