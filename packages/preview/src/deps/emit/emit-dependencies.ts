import type { ModuleContent, ModuleMap } from "../../module-content.ts";
import type { Dependencies, DependencyRequest } from "../dependencies.ts";
import type { Gathered } from "../gather.ts";
import { hashOf } from "../link/link-package.ts";
import { type EmitContext, emitPackage, type FileLines } from "./emit-package.ts";
import { emitEntry } from "./emit-entry.ts";
import { moduleNames } from "./module-names.ts";
import { RUNTIME } from "./runtime.ts";

/** The modules of what was gathered. `isModule` says whether the app's files are ES modules for Node. */
export async function emitDependencies(
  gathered: Gathered,
  request: DependencyRequest,
  isModule: boolean,
): Promise<Omit<Dependencies, "problems">> {
  const modules = new Map<string, ModuleContent>();
  const lines = new Map<string, readonly FileLines[]>();
  const context: EmitContext = {
    gathered,
    names: await moduleNames(gathered),
    runtime: `node_modules/.link-${await hashOf(RUNTIME)}.js`,
    platform: request.target,
  };
  for (const [id, one] of gathered.packages) {
    const name = context.names.get(id);
    if (name === undefined || one.used.size === 0) continue;
    const { js, files, assets } = emitPackage(id, one, context);
    modules.set(context.runtime, { js: RUNTIME }).set(name, { js });
    for (const [asset, content] of assets) modules.set(asset, content);
    lines.set(
      name,
      files.map((file) => ({ ...file, path: `node_modules/${one.version.name}/${file.path}` })),
    );
  }
  const imports = new Map<string, string>();
  for (const specifier of request.specifiers) {
    const file = gathered.follow(undefined, specifier, "import");
    const one = file && gathered.packages.get(file.id);
    if (!file || !one) continue;
    // What is made for browsers takes a default as compilers wrote it.
    const use = { names: request.names?.get(specifier) ?? [], node: isModule && request.target === "worker" };
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
