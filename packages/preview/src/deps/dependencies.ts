import type { ModuleMap } from "../module-content.ts";
import type { Problem } from "../problem.ts";

/** What an app imports that is not in its tree. */
export interface DependencyRequest {
  /** Bare specifiers as they are written, such as `hono`, `hono/cors` and `@scope/name/sub.js`; each once, in any order. */
  readonly specifiers: readonly string[];
  /**
   * What the app imports by name from a specifier, where it is known. Not all exports of CommonJS can be seen in its text;
   * those that are named here are exported in any case. Default: none.
   */
  readonly names?: ReadonlyMap<string, readonly string[]>;
  /** The text of the `package.json` that they are looked up in; undefined where the app has none. */
  readonly manifest: string | undefined;
  /** The lockfile beside it, of npm, pnpm, Yarn or Bun. Without one, the versions are what the manifest's ranges gave at first. */
  readonly lockfile: { readonly name: string; readonly text: string } | undefined;
  /** The text of the `.npmrc` beside it, for registries and tokens. Default: none. */
  readonly npmrc?: string;
  readonly target: "worker" | "browser";
  /**
   * Export conditions besides `import`, `require` and `default`, such as `workerd`, `worker`, `browser` and `development`.
   * With `production`, `process.env.NODE_ENV` is that, else `development`.
   */
  readonly conditions: readonly string[];
  readonly signal: AbortSignal;
  /** Told of what takes long, such as a download. Must not throw. */
  readonly onProgress?: (progress: DependencyProgress) => void;
}

export interface DependencyProgress {
  /** `name@version`, or `name` while the version is not known. */
  readonly package: string;
  readonly step: "resolve" | "download" | "unpack" | "bundle" | "ready";
  /** Packages that are ready, of those that are known to be needed so far. */
  readonly ready: number;
  readonly known: number;
}

/** Finished modules, ready for the Worker Loader or a browser. */
export interface Dependencies {
  /**
   * All that is needed, also by one another. Names begin with `node_modules/`, hold the version, and differ when the content
   * differs. What a module imports is `./` or `../` relative to its own name, or a builtin (`node:…`, `cloudflare:…`).
   */
  readonly modules: ModuleMap;
  /** For each specifier that was found, the name of its module. */
  readonly imports: ReadonlyMap<string, string>;
  /** A sentence for each specifier that was not found or could not be bundled. The others are there nevertheless. */
  readonly problems: readonly Problem[];
  /** The file of a package that a line of a module is from, and its line there; lines from 1. Undefined for other lines. */
  readonly locate?: (module: string, line: number) => { readonly path: string; readonly line: number } | undefined;
}

/** Brings npm packages in. The same manifest, lockfile and specifiers give the same names and bytes. */
export interface DependencyBundler {
  /** Throws `signal.reason` on abort; whatever else goes wrong is among the problems. */
  bundle(request: DependencyRequest): Promise<Dependencies>;
}
