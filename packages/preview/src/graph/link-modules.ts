import type { ModuleContent } from "../module-content.ts";
import type { Graph, GraphModule } from "./module-graph.ts";
import { moduleName, relativeName } from "./module-name.ts";
import type { Resolution } from "./resolve-import.ts";
import { replaceSites } from "./replace-sites.ts";
import type { Script } from "./transform-script.ts";

/** Where what ES modules import of CommonJS files is, since those have only a default export here. */
const FACADES = "tenrec/commonjs/";

export interface LinkOptions {
  /** Names of the modules of npm packages by specifier. */
  readonly packages: ReadonlyMap<string, string>;
  /** Other names for modules of the runtime, such as one of ours in place of `cloudflare:workers`. */
  readonly builtins: ReadonlyMap<string, string>;
}

/** Links the modules of a graph to one another. It goes with a session from tree to tree and keeps what did not change. */
export class Linker {
  readonly #linked = new WeakMap<Script, { readonly key: string; readonly content: ModuleContent }>();

  link({ modules }: Graph, options: LinkOptions): Map<string, ModuleContent> {
    const linked = new Map<string, ModuleContent>();
    const wanted = new Map<string, Set<string>>();
    for (const module of modules.values()) {
      const content = this.#content(module, modules, options, wanted);
      if (content) linked.set(moduleName(module.path), content);
    }
    for (const [name, names] of wanted) linked.set(`${FACADES}${name}.js`, { js: facade(name, names) });
    return linked;
  }

  #content(
    module: GraphModule,
    modules: Graph["modules"],
    options: LinkOptions,
    wanted: Map<string, Set<string>>,
  ): ModuleContent | undefined {
    const { source, path, targets } = module;
    if (source.kind === "problem") return undefined;
    if (source.kind === "other") return source.content;
    const { script } = source;
    const own = moduleName(path);
    const written = script.sites.map(({ specifier, names }, index) => {
      const target = nameOf(targets[index], options);
      if (target === undefined) return specifier;
      if ("builtin" in target) return target.builtin;
      const other = target.path === undefined ? undefined : modules.get(target.path);
      const toCommonJs =
        script.format === "esm" && other?.source.kind === "script" && other.source.script.format === "cjs";
      if (!toCommonJs) return relativeName(own, target.name);
      const all = wanted.get(target.name) ?? new Set();
      wanted.set(target.name, all);
      for (const name of names) all.add(name);
      return relativeName(own, `${FACADES}${target.name}.js`);
    });
    const key = written.join("\n");
    const known = this.#linked.get(script);
    if (known?.key === key) return known.content;
    const code = replaceSites(script, written);
    const content = script.format === "esm" ? { js: code } : { cjs: code };
    this.#linked.set(script, { key, content });
    return content;
  }
}

function nameOf(
  target: Resolution | undefined,
  { packages, builtins }: LinkOptions,
): { readonly name: string; readonly path?: string } | { readonly builtin: string } | undefined {
  switch (target?.kind) {
    case "file":
      return { name: moduleName(target.path), path: target.path };
    case "package": {
      const name = packages.get(target.specifier);
      return name === undefined ? undefined : { name };
    }
    case "builtin": {
      const name = builtins.get(target.name);
      return name === undefined ? { builtin: target.name } : { name };
    }
    default:
      return undefined;
  }
}

/** An ES module with the default export of a CommonJS one, and with those of its properties that are asked for. */
function facade(name: string, wanted: ReadonlySet<string>): string {
  const from = JSON.stringify(relativeName(`${FACADES}${name}.js`, name));
  const names = [...wanted].filter((each) => each !== "default").toSorted();
  const values = names.map((each, index) => `const v${index} = exports[${JSON.stringify(each)}];\n`).join("");
  const list = names.map((each, index) => `v${index} as ${each}`).join(", ");
  return [
    `import exports from ${from};\n`,
    `const value = exports?.__esModule && "default" in exports ? exports.default : exports;\n`,
    `export { value as default };\n${values}`,
    names.length > 0 ? `export { ${list} };\n` : "",
  ].join("");
}
