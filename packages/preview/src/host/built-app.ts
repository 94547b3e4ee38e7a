import type { ClientApp } from "../client/client-app.ts";
import type { Dependencies } from "../deps/dependencies.ts";
import type { ProjectConfig } from "../config/project-config.ts";
import type { Inserted } from "../graph/insert-texts.ts";
import type { ModuleContent } from "../module-content.ts";
import type { Problem } from "../problem.ts";

/** An app that is ready to be shown: with a Worker, or of assets alone. */
export interface BuiltApp {
  readonly config: ProjectConfig;
  readonly worker?: WorkerApp;
  readonly client?: ClientApp;
}

/** An app that is ready to be loaded. */
export interface WorkerApp {
  readonly config: ProjectConfig;
  /** By name, without the generated entry. */
  readonly modules: ReadonlyMap<string, ModuleContent>;
  /** The name of the app's own entry. */
  readonly main: string;
  /** Hash of the names and contents of the modules. */
  readonly hash: string;
  /** What was put into a module of the tree, by its name; undefined where nothing was. */
  readonly inserted: (module: string) => Inserted | undefined;
  /** Finds the files of packages. */
  readonly locate?: Dependencies["locate"];
  /** What a browser loads, of a project that Vite would serve: what the Worker has for its assets. */
  readonly client?: ClientApp;
}

export type Build = { readonly app: BuiltApp } | { readonly problems: readonly Problem[] };
