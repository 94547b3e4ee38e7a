import type { Dependencies } from "../deps/dependencies.ts";
import type { Graph, GraphModule } from "../graph/module-graph.ts";
import { relativeName } from "../graph/module-name.ts";
import { replaceSites } from "../graph/replace-sites.ts";
import { clientName } from "./client-path.ts";

/** Where packages are, in place of `node_modules/`: a folder that no project has. */
const PACKAGES = "@npm/";

export function packageAddress(name: string): string {
  return name.replace(/^node_modules\//, PACKAGES);
}

/** The name of the package's module at an address. */
export function packageName(address: string): string {
  return address.replace(PACKAGES, "node_modules/");
}

/** The code of each module by its name, with the names of other modules in place of what is written. */
export function linkClient(root: string, { modules }: Graph, { imports }: Dependencies): ReadonlyMap<string, string> {
  const linked = new Map<string, string>();
  for (const module of modules.values()) {
    const { source } = module;
    if (source.kind !== "script") continue;
    const own = clientName(root, module.path);
    linked.set(own, replaceSites(source.script, written(root, own, module, imports)));
  }
  return linked;
}

function written(
  root: string,
  own: string,
  { source, targets }: GraphModule,
  imports: Dependencies["imports"],
): readonly string[] {
  const sites = source.kind === "script" ? source.script.sites : [];
  return sites.map(({ specifier }, index) => {
    const target = targets[index];
    if (target?.kind === "file") return relativeName(own, clientName(root, target.path));
    const name = target?.kind === "package" ? imports.get(target.specifier) : undefined;
    return name === undefined ? specifier : relativeName(own, packageAddress(name));
  });
}
