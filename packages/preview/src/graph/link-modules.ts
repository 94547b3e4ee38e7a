import type { ModuleContent } from "../module-content.ts";
import type { Graph, GraphModule } from "./module-graph.ts";
import { moduleName, relativeName } from "./module-name.ts";
import type { Resolution } from "./resolve-import.ts";
import { replaceSites } from "./replace-sites.ts";

/** Where what ES modules import of CommonJS files is, since those have only a default export here. */
const FACADES = "tenrec/commonjs/";

/** Modules by name, and a text that no others have, as long as sources are transformed in one way. */
export interface LinkedModules {
  readonly modules: Map<string, ModuleContent>;
  readonly identity: string;
}

/** What a module became, and what it needs of CommonJS files: names by module. */
interface Linked {
  readonly name: string;
  readonly content: ModuleContent;
  /** Its name, the hash of its source, and what it imports, on one line. */
  readonly identity: string;
  readonly facades: ReadonlyMap<string, readonly string[]>;
}

/** Links the modules of a graph to one another. It goes with a session from tree to tree and keeps what did not change. */
export class Linker {
  /** A module is the same object as long as neither its code nor where its imports lead has changed. */
  #linked = new WeakMap<GraphModule, Linked>();
  #packages: ReadonlyMap<string, string> | undefined;
  #commonJs = "";

  /** `packages` has the names of the modules of npm packages by specifier. */
  link({ modules }: Graph, packages: ReadonlyMap<string, string>): LinkedModules {
    // All that the code of a module depends on besides itself.
    const commonJs: string[] = [];
    for (const module of modules.values()) if (isCommonJs(module)) commonJs.push(module.path);
    const key = commonJs.toSorted().join("\n");
    if (packages !== this.#packages || key !== this.#commonJs) this.#linked = new WeakMap();
    this.#packages = packages;
    this.#commonJs = key;
    const linked = new Map<string, ModuleContent>();
    const identities: string[] = [];
    const wanted = new Map<string, Set<string>>();
    for (const module of modules.values()) {
      const made = this.#linked.get(module) ?? this.#make(module, commonJs, packages);
      if (!made) continue;
      linked.set(made.name, made.content);
      identities.push(made.identity);
      for (const [name, names] of made.facades) {
        const all = wanted.get(name) ?? new Set();
        wanted.set(name, all);
        for (const each of names) all.add(each);
      }
    }
    for (const [name, names] of wanted) linked.set(`${FACADES}${name}.js`, { js: facade(name, names) });
    return { modules: linked, identity: identities.join("\n") };
  }

  #make(module: GraphModule, commonJs: readonly string[], packages: ReadonlyMap<string, string>): Linked | undefined {
    const made = linkModule(module, new Set(commonJs), packages);
    if (made) this.#linked.set(module, made);
    return made;
  }
}

function isCommonJs({ source }: GraphModule): boolean {
  return source.kind === "script" && source.script.format === "cjs";
}

function linkModule(
  { source, path, targets }: GraphModule,
  commonJs: ReadonlySet<string>,
  packages: ReadonlyMap<string, string>,
): Linked | undefined {
  if (source.kind === "problem") return undefined;
  const facades = new Map<string, readonly string[]>();
  const own = moduleName(path);
  if (source.kind === "other")
    return { name: own, content: source.content, identity: JSON.stringify([own, source.hash]), facades };
  const { script } = source;
  const written = script.sites.map(({ specifier, names }, index) => {
    const target = targets[index];
    if (target?.kind === "builtin") return target.name;
    const name = target && nameOf(target, packages);
    if (name === undefined) return specifier;
    const toCommonJs = script.format === "esm" && target?.kind === "file" && commonJs.has(target.path);
    if (!toCommonJs) return relativeName(own, name);
    facades.set(name, [...(facades.get(name) ?? []), ...names]);
    return relativeName(own, `${FACADES}${name}.js`);
  });
  const code = replaceSites(script, written);
  const identity = JSON.stringify([own, source.hash, ...written]);
  return { name: own, content: script.format === "esm" ? { js: code } : { cjs: code }, identity, facades };
}

/** Undefined for what is not there. */
function nameOf(target: Resolution, packages: ReadonlyMap<string, string>): string | undefined {
  switch (target.kind) {
    case "file":
      return moduleName(target.path);
    case "package":
      return packages.get(target.specifier);
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
