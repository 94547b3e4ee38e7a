import type { ModuleContent, ModuleMap } from "../../module-content.ts";
import type { Dependencies, DependencyRequest } from "../dependencies.ts";
import type { Gathered } from "../gather.ts";
import { hashOf } from "../link/link-package.ts";
import { type EmitContext, emitPackage, type FileLines } from "./emit-package.ts";
import { emitEntry } from "./emit-entry.ts";
import { moduleNames } from "./module-names.ts";
import { RUNTIME } from "./runtime.ts";

/** The modules of all packages, without those of their entries. */
export interface EmittedPackages {
  readonly context: EmitContext;
  readonly modules: ModuleMap;
  readonly lines: ReadonlyMap<string, readonly FileLines[]>;
}

/** The modules of what was gathered, whatever the app imports from them by name. */
export async function emitPackages(gathered: Gathered, platform: EmitContext["platform"]): Promise<EmittedPackages> {
  const modules = new Map<string, ModuleContent>();
  const lines = new Map<string, readonly FileLines[]>();
  const names = await moduleNames(gathered);
  const runtime = `node_modules/.link-${await hashOf(RUNTIME)}.js`;
  const context: EmitContext = { gathered, names, runtime, platform };
  for (const [id, one] of gathered.packages) {
    const name = names.get(id);
    if (name === undefined || one.used.size === 0) continue;
    const { js, files, assets } = emitPackage(id, one, context);
    modules.set(runtime, { js: RUNTIME }).set(name, { js });
    for (const [asset, content] of assets) modules.set(asset, content);
    const folder = `node_modules/${one.version.name}`;
    lines.set(
      name,
      files.map((file) => ({ ...file, path: `${folder}/${file.path}` })),
    );
  }
  return { context, modules, lines };
}

/** All modules that an app needs. `isModule` says whether its files are ES modules for Node. */
export async function emitDependencies(
  { context, modules: packages, lines }: EmittedPackages,
  { specifiers, names }: DependencyRequest,
  isModule: boolean,
): Promise<Omit<Dependencies, "problems">> {
  const { gathered, platform } = context;
  const modules = new Map(packages);
  const imports = new Map<string, string>();
  for (const specifier of specifiers) {
    const file = gathered.follow(undefined, specifier, "import");
    const one = file && gathered.packages.get(file.id);
    if (!file || !one) continue;
    // What is made for browsers takes a default as compilers wrote it.
    const use = { names: names?.get(specifier) ?? [], node: isModule && platform === "worker" };
    const { name, js } = await emitEntry(file, one, use, context);
    modules.set(name, { js });
    imports.set(specifier, name);
  }
  return { modules: sorted(modules), imports, locate: (module, line) => locate(lines.get(module), line) };
}

function sorted(modules: ModuleMap): ModuleMap {
  return new Map([...modules].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function locate(files: readonly FileLines[] | undefined, line: number): { path: string; line: number } | undefined {
  const file = files?.find(({ first, last }) => first <= line && line <= last);
  return file && { path: file.path, line: line - file.first + 1 };
}
