import type { Json } from "@tenrec/protocol";

/** How requests for pages find their files; as in the documentation of static assets. */
export type HtmlHandling = "auto-trailing-slash" | "force-trailing-slash" | "drop-trailing-slash" | "none";
export type NotFoundHandling = "none" | "404-page" | "single-page-application";

export interface AssetsConfig {
  /** Absolute path in the tree. */
  readonly directory: string;
  readonly binding?: string;
  /** The directory is all of the project, so what is no asset is in it: what begins with a dot, and installed packages. */
  readonly isWholeProject?: boolean;
  readonly htmlHandling: HtmlHandling;
  readonly notFoundHandling: NotFoundHandling;
  /** Whether the Worker answers before the assets: always, or for paths that match these patterns (`!` excludes). */
  readonly runWorkerFirst: boolean | readonly string[];
}

/** The parts of a project's configuration that a preview acts on. Paths are absolute in the tree. */
export interface ProjectConfig {
  /** The file it was read from; absent for a project without one. */
  readonly path?: string;
  readonly name: string;
  /** The Worker's entry; absent for a project of assets alone. */
  readonly main?: string;
  readonly compatibilityDate: string;
  readonly compatibilityFlags: readonly string[];
  /** `vars`, overridden by `.dev.vars`. */
  readonly vars: Readonly<Record<string, Json>>;
  /** Specifier to specifier. */
  readonly alias: Readonly<Record<string, string>>;
  readonly assets?: AssetsConfig;
  readonly durableObjects: readonly { readonly binding: string; readonly className: string }[];
  readonly kv: readonly string[];
  readonly d1: readonly { readonly binding: string; readonly migrations: string }[];
  readonly r2: readonly string[];
  /** Bindings to the Worker itself. */
  readonly services: readonly { readonly binding: string; readonly entrypoint?: string }[];
  readonly crons: readonly string[];
  /** What the configuration asks for and a preview does not have: an entry for each binding, or one without a binding. */
  readonly unsupported: readonly Unsupported[];
}

export interface Unsupported {
  /** The name of the setting, such as `queues`. */
  readonly feature: string;
  readonly binding?: string;
}
