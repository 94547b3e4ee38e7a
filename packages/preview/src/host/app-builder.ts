import type { PreviewRequest } from "@tenrec/protocol";
import type { PageCompiler } from "../client/compile/page-compiler.ts";
import { ClientBuilder } from "../client/client-builder.ts";
import type { ProjectConfig } from "../config/project-config.ts";
import { CONFIG_FILES, readConfig } from "../config/read-config.ts";
import { nothingToShow, PAGES_ONLY, plainPages } from "../config/without-file.ts";
import type { Dependencies, DependencyBundler } from "../deps/dependencies.ts";
import { bundlePackages } from "../graph/bundle-packages.ts";
import { importedNames } from "../graph/imported-names.ts";
import { type Inserted, insertedIn } from "../graph/insert-texts.ts";
import { Linker } from "../graph/link-modules.ts";
import { type Graph, ModuleGraph } from "../graph/module-graph.ts";
import { moduleName } from "../graph/module-name.ts";
import { LOCKFILES, NPMRC, type PackageFile, readPackage, versionsIn } from "../graph/read-package.ts";
import { readTsConfig, type TsConfig } from "../graph/read-tsconfig.ts";
import { resolveImport } from "../graph/resolve-import.ts";
import { sha256 } from "../graph/sha256.ts";
import { readModule, type TransformAs, type TransformText } from "../graph/source-module.ts";
import { TreeView } from "../graph/tree-view.ts";
import type { Problem } from "../problem.ts";
import type { Build, WorkerApp } from "./built-app.ts";

export interface AppBuilderOptions {
  readonly transform: TransformAs;
  readonly dependencies: DependencyBundler | undefined;
  readonly compiler: PageCompiler | undefined;
  /** Where in the tree the project is. */
  readonly root: string;
}

/** What was read besides the modules, and how to know that it is still so. */
interface Settings {
  /** Undefined where there is none. */
  readonly config: ProjectConfig | readonly Problem[] | undefined;
  readonly tsconfig: TsConfig;
  readonly package: PackageFile;
  readonly files: ReadonlySet<string>;
}

/** Builds the trees of one session, each from what it shares with the one before. One build at a time. */
export class AppBuilder {
  readonly #options: AppBuilderOptions;
  readonly #graph: ModuleGraph;
  readonly #client: ClientBuilder;
  readonly #linker = new Linker();
  #view: TreeView | undefined;
  #tree: string | undefined;
  #settings: Settings | undefined;
  #packages: { readonly key: string; readonly found: Dependencies } | undefined;

  constructor(options: AppBuilderOptions) {
    this.#options = options;
    this.#client = new ClientBuilder(options);
    const transform: TransformText = (path, text, hash) =>
      options.transform(path, text, hash, {
        jsx: this.#settings?.tsconfig.jsx ?? { runtime: "classic" },
        guarded: true,
        legacyDecorators: this.#settings?.tsconfig.legacyDecorators ?? false,
      });
    this.#graph = new ModuleGraph({
      read: (fs, path) => readModule(fs, path, { hashOf: sha256, transform }),
      resolve: resolveImport,
    });
  }

  /** Throws `signal.reason`, or what the tree throws; what is wrong with the app is among the problems. */
  async build(request: PreviewRequest, signal: AbortSignal): Promise<Build> {
    const settings = await this.#follow(request);
    const client = await this.#client.build(this.#view as TreeView, settings.package, signal);
    if (client && "problems" in client) return client;
    const config = settings.config ?? (client ? PAGES_ONLY : await this.#withoutConfig());
    if (!("name" in config)) return { problems: config };
    const pages = client ? { client } : {};
    if (config.main === undefined) return { app: { config, ...pages } };
    const graph = await this.#trace(config, config.main, settings, signal);
    if (graph.problems.length > 0) return { problems: graph.problems };
    const packages = await this.#bundle(graph, settings.package, signal);
    if (packages.problems.length > 0) return { problems: packages.problems };
    const { modules, identity } = this.#linker.link(graph, packages.imports);
    for (const [name, content] of packages.modules) modules.set(name, content);
    // What a source becomes is up to the options for JSX, and the generated entry to what is the main module.
    const { jsx, legacyDecorators } = settings.tsconfig;
    const made = JSON.stringify([config.main, jsx, legacyDecorators, [...packages.modules.keys()]]);
    const hash = await sha256(`${made}\n${identity}`);
    const { locate } = packages;
    const inserted = insertions(graph);
    return {
      app: {
        config,
        ...pages,
        worker: { config, modules, main: moduleName(config.main), hash, inserted, locate, ...pages },
      },
    };
  }

  async #withoutConfig(): Promise<ProjectConfig | readonly Problem[]> {
    const view = this.#view as TreeView;
    const { root } = this.#options;
    const hasPage = (await view.kind(view.fs.resolvePath(root, "index.html"))) === "file";
    return hasPage ? plainPages(root) : [nothingToShow(root)];
  }

  /** Makes the builder's view that of the request's tree. */
  async #follow({ tree, fs, changedSince }: PreviewRequest): Promise<Settings> {
    const { root } = this.#options;
    const known = this.#settings;
    const changed = this.#tree === undefined ? undefined : tree === this.#tree ? [] : await changedSince?.(this.#tree);
    // Until all of it is done, nothing is known of any tree: whatever fails on the way, the next build begins anew.
    this.#tree = undefined;
    this.#view ??= new TreeView(fs);
    const { namesChanged } = await this.#view.follow(fs, changed);
    for (const modules of [this.#graph, this.#client]) {
      modules.forget(changed);
      if (namesChanged) modules.forgetTargets();
    }
    const sameSettings = known && changed && !changed.some((path) => known.files.has(path));
    if (!sameSettings) {
      const tsconfig = await readTsConfig(fs, root);
      const files = [...CONFIG_FILES, "package.json"].map((name) => fs.resolvePath(root, name));
      const found = await readPackage(fs, root);
      const lockfiles = LOCKFILES.map((name) => fs.resolvePath(root, name));
      this.#settings = {
        config: await readConfig(fs, root),
        tsconfig,
        package: found,
        files: new Set([...files, ...lockfiles, fs.resolvePath(root, NPMRC), ...tsconfig.files]),
      };
      for (const modules of [this.#graph, this.#client]) modules.forgetTargets();
      const written = (of: TsConfig | undefined): string => JSON.stringify([of?.jsx, of?.legacyDecorators]);
      if (written(known?.tsconfig) !== written(tsconfig)) this.#graph.forget(undefined);
    }
    this.#tree = tree;
    // Set above when it was not before.
    return this.#settings as Settings;
  }

  async #trace(config: ProjectConfig, main: string, settings: Settings, signal: AbortSignal): Promise<Graph> {
    const view = this.#view as TreeView;
    if ((await view.kind(main)) !== "file") {
      const message = `there is no ${moduleName(main)}, which main names`;
      return {
        modules: new Map(),
        packages: [],
        problems: [{ ...(config.path ? { path: config.path } : {}), message }],
      };
    }
    const { root } = this.#options;
    const context = { view, root, tsconfig: settings.tsconfig, alias: config.alias, imports: settings.package.imports };
    return this.#graph.trace([main], context, signal);
  }

  async #bundle(graph: Graph, manifest: PackageFile, signal: AbortSignal): Promise<Dependencies> {
    const key = JSON.stringify([graph.packages, [...importedNames(graph.modules)], versionsIn(manifest)]);
    if (this.#packages?.key === key) return this.#packages.found;
    const how = { target: "worker", conditions: CONDITIONS, signal } as const;
    const found = await bundlePackages(graph, manifest, this.#options.dependencies, how);
    // A problem may be one of the network: it is tried again by the next build.
    this.#packages = found.problems.length === 0 ? { key, found } : undefined;
    return found;
  }
}

const CONDITIONS = ["workerd", "worker", "browser", "module"];

/** Only an exception asks for it, so that an edit does nothing for it, and it is found once for each module. */
function insertions({ modules }: Graph): WorkerApp["inserted"] {
  const found = new Map<string, Inserted>();
  return (module) => {
    const source = modules.get(`/${module}`)?.source;
    if (source?.kind !== "script" || !source.script.insertions) return undefined;
    const inserted = found.get(module) ?? insertedIn(source.script.code, source.script.insertions);
    found.set(module, inserted);
    return inserted;
  };
}
