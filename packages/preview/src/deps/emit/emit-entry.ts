import type { GatheredPackage } from "../gather.ts";
import { hashOf } from "../link/link-package.ts";
import { exportNames } from "./export-names.ts";
import type { EmitContext } from "./emit-package.ts";
import { relativeName } from "./relative-name.ts";
import type { FileReference } from "../link/file-reference.ts";

/** How an entry is imported by the app. */
export interface EntryUse {
  /** Names that the app imports; of CommonJS not all are known. */
  readonly names: readonly string[];
  /** Whether the default of a CommonJS module is always all of it. */
  readonly node: boolean;
}

/** The module that an app imports for a specifier: it runs a file of a package, and has its exports. */
export async function emitEntry(
  file: FileReference,
  one: GatheredPackage,
  use: EntryUse,
  context: EmitContext,
): Promise<{ readonly name: string; readonly js: string }> {
  const { name, version } = one.version;
  const folder = `node_modules/${name}@${version}`;
  if (file.path === "") return { name: `${folder}/empty.js`, js: "export default {};\n" };
  const linked = one.unit.files[file.path];
  const from = relativeName(`${folder}/entry.js`, context.names.get(file.id) ?? "");
  const known = exportNames(context.gathered, file);
  const isEsm = linked?.kind === "esm";
  const names = [...new Set([...known, ...(isEsm ? [] : use.names)])].filter((one_) => one_ !== "default").toSorted();
  const lines = [
    `import { $namespace } from ${JSON.stringify(from)};`,
    `const $all = $namespace(${JSON.stringify(file.path)}, ${use.node});`,
    ...names.map((export_, index) => `const $${index} = $all[${JSON.stringify(export_)}];`),
    `export { ${names.map((export_, index) => `$${index} as ${exportText(export_)}`).join(", ")} };`,
    ...(!isEsm || known.has("default") ? ["export default $all.default;"] : []),
    "",
  ];
  const js = lines.join("\n");
  const plain = file.path.replace(/\.[^./]+$/, "").replaceAll(/[^\w.@-]+/g, "-");
  return { name: `${folder}/${plain}-${await hashOf(js)}.js`, js };
}

function exportText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
