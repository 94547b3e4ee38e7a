import type { FileSystem } from "@tenrec/protocol";
import type { Problem } from "../problem.ts";
import { positionOf } from "../report/position.ts";
import { placeBefore } from "./insert-texts.ts";
import { moduleName } from "./module-name.ts";
import type { ResolveContext, Resolution } from "./resolve-import.ts";
import type { SourceModule } from "./source-module.ts";

/** A module that the entry needs, and where each of its imports leads. */
export interface GraphModule {
  readonly path: string;
  readonly source: SourceModule;
  /** For a script, one for each of its sites, in their order. */
  readonly targets: readonly Resolution[];
}

export interface Graph {
  /** By path, in the order in which they were found. */
  readonly modules: ReadonlyMap<string, GraphModule>;
  /** Specifiers of npm packages, sorted. */
  readonly packages: readonly string[];
  readonly problems: readonly Problem[];
}

/** How modules are read and how one finds another, which differs between a Worker and a browser. */
export interface GraphOptions {
  readonly read: (fs: FileSystem, path: string) => Promise<SourceModule>;
  readonly resolve: (context: ResolveContext, specifier: string, importer: string) => Promise<Resolution>;
}

/** The modules below some entries. It goes with a session from tree to tree and reads again only what changed. */
export class ModuleGraph {
  readonly #options: GraphOptions;
  readonly #modules = new Map<string, GraphModule>();
  /** Paths of modules whose imports may lead elsewhere by now. */
  readonly #unsure = new Set<string>();

  constructor(options: GraphOptions) {
    this.#options = options;
  }

  /** What was read of these paths counts no more; without paths, of all. */
  forget(paths: readonly string[] | undefined): void {
    if (!paths) return this.#modules.clear();
    for (const path of paths) this.#modules.delete(path);
  }

  /** Where imports lead is to be found out again, since files came or went. */
  forgetTargets(): void {
    for (const path of this.#modules.keys()) this.#unsure.add(path);
  }

  /** Follows the imports from these modules on. */
  async trace(entries: readonly string[], context: ResolveContext, signal: AbortSignal): Promise<Graph> {
    const found = new Map<string, GraphModule>();
    const problems: Problem[] = [];
    const packages = new Set<string>();
    let wave = [...entries];
    while (wave.length > 0) {
      signal.throwIfAborted();
      const modules = await Promise.all(wave.map((path) => this.#module(path, context)));
      const next = new Set<string>();
      for (const module of modules) {
        found.set(module.path, module);
        problems.push(...problemsOf(module));
        for (const target of module.targets) {
          if (target.kind === "file" && !found.has(target.path)) next.add(target.path);
          if (target.kind === "package") packages.add(target.specifier);
        }
      }
      wave = [...next].filter((path) => !found.has(path));
    }
    // What could not be made into a module is tried again by the next build: it may have been for something else's fault.
    for (const [path, { source }] of this.#modules) {
      if (!found.has(path) || source.kind === "problem") this.#modules.delete(path);
    }
    return { modules: found, packages: [...packages].toSorted(), problems };
  }

  async #module(path: string, context: ResolveContext): Promise<GraphModule> {
    const known = this.#modules.get(path);
    if (known && !this.#unsure.has(path)) return known;
    const source = known?.source ?? (await this.#options.read(context.view.fs, path));
    const sites = sitesOf(source);
    const targets = await Promise.all(sites.map(({ specifier }) => this.#options.resolve(context, specifier, path)));
    this.#unsure.delete(path);
    // The same object says that nothing is to be done about it.
    if (known && targets.every((target, index) => isSame(target, known.targets[index]))) return known;
    const module: GraphModule = { path, source, targets };
    this.#modules.set(path, module);
    return module;
  }
}

function isSame(a: Resolution, b: Resolution | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function sitesOf(source: SourceModule): { readonly specifier: string; readonly start: number }[] {
  return source.kind === "script" ? [...source.script.sites] : [];
}

function problemsOf({ path, source, targets }: GraphModule): Problem[] {
  if (source.kind === "problem") return [{ path, ...source.problem }];
  if (source.kind !== "script") return [];
  const { code, format, sites, inserted = new Map() } = source.script;
  return sites.flatMap(({ specifier, start }, index) => {
    // A `require` may stand in a branch that is never taken, or in a comment: it fails when it is reached.
    if (targets[index]?.kind !== "missing" || format === "cjs") return [];
    const message = `cannot find ${JSON.stringify(specifier)}, which ${moduleName(path)} imports`;
    return [{ path, ...placeBefore(inserted, positionOf(code, start)), message }];
  });
}
