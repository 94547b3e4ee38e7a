import type { DependencyBundler } from "../deps/dependencies.ts";
import { bundlePackages } from "../graph/bundle-packages.ts";
import { ModuleGraph } from "../graph/module-graph.ts";
import type { PackageFile } from "../graph/read-package.ts";
import type { ResolveContext } from "../graph/resolve-import.ts";
import { sha256 } from "../graph/sha256.ts";
import type { TransformAs, TransformText } from "../graph/source-module.ts";
import type { TreeView } from "../graph/tree-view.ts";
import type { Problem } from "../problem.ts";
import { ClientApp } from "./client-app.ts";
import type { PageCompiler } from "./compile/page-compiler.ts";
import { type ClientSettings, readClientSettings } from "./client-settings.ts";
import { type HtmlPage, readHtmlPage } from "./html-page.ts";
import { linkClient } from "./link-client.ts";
import { type ClientReadOptions, readClientModule } from "./read-client-module.ts";
import { resolveClient } from "./resolve-client.ts";

export interface ClientBuilderOptions {
  readonly transform: TransformAs;
  readonly dependencies: DependencyBundler | undefined;
  /** Translates components and the style sheets of Tailwind. */
  readonly compiler: PageCompiler | undefined;
  /** Where in the tree the project is. */
  readonly root: string;
}

/** Builds what a browser loads of the trees of one session, as Vite would serve it. One build at a time. */
export class ClientBuilder {
  readonly #options: ClientBuilderOptions;
  readonly #graph: ModuleGraph;
  /** Of the build that runs or was the last. */
  #settings: ClientSettings | undefined;
  /** What holds until one of its files changes. */
  #read: { readonly settings: ClientSettings | undefined; readonly manifest: string | undefined } | undefined;
  #inline: ReadonlyMap<string, string> = new Map();
  /** Of the build that runs or was the last. */
  #project: { readonly manifest: PackageFile; readonly signal: AbortSignal } | undefined;

  constructor(options: ClientBuilderOptions) {
    this.#options = options;
    const transform: TransformText = (path, text, hash) =>
      options.transform(path, text, hash, {
        jsx: this.#settings?.tsconfig.jsx ?? { runtime: "automatic" },
        guarded: false,
        legacyDecorators: this.#settings?.tsconfig.legacyDecorators ?? false,
      });
    this.#graph = new ModuleGraph({
      read: (fs, path) => {
        const { root, compiler } = options;
        const env = this.#settings?.env ?? {};
        const project = this.#project;
        const compile: ClientReadOptions["compile"] =
          compiler && project && ((language, input) => compiler.compile({ language, input, ...project }));
        const all = { hashOf: sha256, transform, root, env, inline: this.#inline };
        return readClientModule(fs, path, { ...all, ...(compile ? { compile } : {}) });
      },
      resolve: resolveClient,
    });
  }

  /** What was read of these paths counts no more; without paths, of all. */
  forget(paths: readonly string[] | undefined): void {
    this.#graph.forget(paths?.flatMap((path) => [path, `${path}?raw`, `${path}?url`]));
    const known = this.#read?.settings;
    if (!paths || paths.some((path) => known?.files.includes(path))) this.#read = undefined;
  }

  /** Where imports lead is to be found out again, since files came or went. */
  forgetTargets(): void {
    this.#graph.forgetTargets();
    this.#read = undefined;
  }

  /** Undefined for a project without pages that Vite would serve. Throws `signal.reason`, or what the tree throws. */
  async build(
    view: TreeView,
    manifest: PackageFile,
    signal: AbortSignal,
  ): Promise<ClientApp | { readonly problems: readonly Problem[] } | undefined> {
    const { root } = this.#options;
    const known = this.#read?.manifest === manifest.text ? this.#read : undefined;
    const settings = known ? known.settings : await readClientSettings(view, root, manifest.text);
    this.#read = { settings, manifest: manifest.text };
    if (!settings) return undefined;
    this.#follow(settings, manifest, signal);
    const context = { view, root, tsconfig: settings.tsconfig, alias: {}, imports: manifest.imports };
    const page = readHtmlPage(settings.html);
    const { entries, problems } = await this.#entries(page, context);
    const graph = await this.#graph.trace(entries, context, signal);
    const all = [...problems, ...graph.problems];
    if (all.length > 0) return { problems: all };
    const how = { target: "browser", conditions: ["browser", "development"], signal } as const;
    const dependencies = await bundlePackages(graph, manifest, this.#options.dependencies, how);
    if (dependencies.problems.length > 0) return { problems: dependencies.problems };
    const html = page.withInline((index) => `/${INLINE(index)}`);
    return new ClientApp({
      fs: view.fs,
      root,
      html,
      inline: (name) => {
        const index = INLINE_NAME.exec(name)?.[1];
        return index === undefined ? undefined : page.place(Number(index));
      },
      modules: linkClient(root, graph, dependencies),
      packages: dependencies.modules,
      locate: dependencies.locate,
      manifest,
      compiler: this.#options.compiler,
    });
  }

  #follow(settings: ClientSettings, manifest: PackageFile, signal: AbortSignal): void {
    const said = (of: ClientSettings | undefined, text: string | undefined): string =>
      JSON.stringify([of?.env, of?.tsconfig, text]);
    const isSame = said(this.#settings, this.#project?.manifest.text) === said(settings, manifest.text);
    if (!isSame) this.#graph.forget(undefined);
    this.#settings = settings;
    this.#project = { manifest, signal };
  }

  async #entries(
    page: HtmlPage,
    context: ResolveContext,
  ): Promise<{ readonly entries: readonly string[]; readonly problems: readonly Problem[] }> {
    const { root, view } = context;
    const html = view.fs.resolvePath(root, "index.html");
    const inline = page.inline.map((text, index) => [view.fs.resolvePath(root, INLINE(index)), text] as const);
    this.#graph.forget([...this.#inline.keys(), ...inline.map(([path]) => path)]);
    this.#inline = new Map(inline);
    const entries = [...this.#inline.keys()];
    const problems: Problem[] = [];
    for (const src of page.scripts) {
      const found = await resolveClient(context, /^(?:[./]|[a-z]+:)/.test(src) ? src : `./${src}`, html);
      if (found.kind === "file") entries.push(found.path);
      if (found.kind === "missing")
        problems.push({ path: html, message: `there is no ${src}, which the page names as a script` });
    }
    return { entries, problems };
  }
}

/** The name of the n-th script that stands in the page. */
const INLINE = (index: number): string => `index.html.inline-${index}.js`;
const INLINE_NAME = /^index\.html\.inline-(\d+)\.js$/;
