import type { FileSystem } from "@tenrec/protocol";
import type { Problem } from "../problem.ts";
import { positionOf } from "../report/position.ts";
import { insertedIn, placeBefore } from "./insert-texts.ts";
import { moduleName } from "./module-name.ts";
import type { ResolveContext, Resolution } from "./resolve-import.ts";
import type { SourceModule } from "./source-module.ts";
import type { ImportSite } from "./transform-script.ts";

/** A module that the entry needs, and where each of its imports leads. */
export interface GraphModule {
  readonly path: string;
  readonly source: SourceModule;
  /** For a script, one for each of its sites, in their order. */
  readonly targets: readonly Resolution[];
  /** What follows from these, found once: an edit asks every module for it. */
  readonly files: readonly string[];
  readonly packages: readonly PackageImport[];
  readonly problems: readonly Problem[];
}

/** An import of an npm package, and the names that it takes. */
interface PackageImport {
  readonly specifier: string;
  readonly names: readonly string[];
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

/** So many modules are read until others have their turn: about 10 ms of work. An edit reads one. */
const AT_ONCE = 16;

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
    for (let wave = new Set(entries); wave.size > 0;) {
      signal.throwIfAborted();
      const unsure = [...wave].filter((path) => this.#unsure.has(path) && this.#modules.has(path));
      await Promise.all(unsure.map((path) => this.#find(path, context)));
      const unread = [...wave].filter((path) => !this.#modules.has(path));
      for (let at = 0; at < unread.length; at += AT_ONCE) {
        if (at > 0) await pause(signal);
        await Promise.all(unread.slice(at, at + AT_ONCE).map((path) => this.#find(path, context)));
      }
      const next = new Set<string>();
      for (const path of wave) {
        const module = this.#modules.get(path) as GraphModule;
        found.set(path, module);
        problems.push(...module.problems);
        for (const { specifier } of module.packages) packages.add(specifier);
        for (const file of module.files) next.add(file);
      }
      for (const path of next) if (found.has(path)) next.delete(path);
      wave = next;
    }
    // What could not be made into a module is tried again by the next build: it may have been for something else's fault.
    for (const [path, { source }] of this.#modules) {
      if (!found.has(path) || source.kind === "problem") this.#modules.delete(path);
    }
    return { modules: found, packages: [...packages].toSorted(), problems };
  }

  async #find(path: string, context: ResolveContext): Promise<void> {
    const known = this.#modules.get(path);
    const source = known?.source ?? (await this.#options.read(context.view.fs, path));
    const sites = sitesOf(source);
    const targets = await Promise.all(sites.map(({ specifier }) => this.#options.resolve(context, specifier, path)));
    this.#unsure.delete(path);
    // The same object says that nothing is to be done about it.
    if (known && targets.every((target, index) => isSame(target, known.targets[index]))) return;
    this.#modules.set(path, moduleOf(path, source, targets));
  }
}

function moduleOf(path: string, source: SourceModule, targets: readonly Resolution[]): GraphModule {
  return {
    path,
    source,
    targets,
    files: targets.flatMap((target) => (target.kind === "file" ? [target.path] : [])),
    packages: sitesOf(source).flatMap(({ names }, index) => {
      const target = targets[index];
      return target?.kind === "package" ? [{ specifier: target.specifier, names }] : [];
    }),
    problems: problemsOf(path, source, targets),
  };
}

/** Throws `signal.reason`. */
async function pause(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  signal.throwIfAborted();
}

function isSame(a: Resolution, b: Resolution | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function sitesOf(source: SourceModule): readonly ImportSite[] {
  return source.kind === "script" ? source.script.sites : [];
}

function problemsOf(path: string, source: SourceModule, targets: readonly Resolution[]): Problem[] {
  if (source.kind === "problem") return [{ path, ...source.problem }];
  if (source.kind !== "script") return [];
  const { code, format, sites, insertions = [] } = source.script;
  return sites.flatMap(({ specifier, start }, index) => {
    // A `require` may stand in a branch that is never taken, or in a comment: it fails when it is reached.
    if (targets[index]?.kind !== "missing" || format === "cjs") return [];
    const message = `cannot find ${JSON.stringify(specifier)}, which ${moduleName(path)} imports`;
    return [{ path, ...placeBefore(insertedIn(code, insertions), positionOf(code, start)), message }];
  });
}
