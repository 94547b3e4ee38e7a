import type { ModuleContent } from "../../module-content.ts";
import type { Gathered, GatheredPackage } from "../gather.ts";
import { builtinOf } from "../link/builtin-modules.ts";
import type { ImportTarget, LinkedFile } from "../link/linked-file.ts";
import { relativeName } from "./relative-name.ts";

/** Where the code of a package's file begins in its module; lines from 1. */
export interface FileLines {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

export interface EmittedPackage {
  readonly js: string;
  readonly files: readonly FileLines[];
  /** Modules beside it, with bytes. */
  readonly assets: ReadonlyMap<string, ModuleContent>;
}

export interface EmitContext {
  readonly gathered: Gathered;
  readonly names: ReadonlyMap<string, string>;
  readonly runtime: string;
  readonly platform: "worker" | "browser";
}

/** The module of a package: its used files as functions, which the runtime runs when they are asked for. */
export function emitPackage(id: string, one: GatheredPackage, context: EmitContext): EmittedPackage {
  const name = context.names.get(id) ?? "";
  const head = createHead(name, context);
  const assets = new Map<string, ModuleContent>();
  const bodies: { readonly path: string; readonly before: string; readonly code: string }[] = [];
  for (const path of [...one.used].toSorted()) {
    const file = one.unit.files[path];
    if (!file) continue;
    const targets = Object.entries(file.targets).map(
      ([specifier, target]) => `[${JSON.stringify(specifier)}]: ${targetText(id, target, context, head)}`,
    );
    const code = file.kind === "asset" ? assetCode(path, one, name, context, head, assets) : file.code;
    bodies.push({ path, before: fileHead(path, file, targets), code });
  }
  return { ...assemble(head.lines(), bodies, one), assets };
}

function assemble(
  imports: readonly string[],
  bodies: readonly { readonly path: string; readonly before: string; readonly code: string }[],
  { version }: GatheredPackage,
): { readonly js: string; readonly files: readonly FileLines[] } {
  const texts = [...imports, "const global = globalThis;", "export const $get = link({"];
  let line = texts.length;
  const files: FileLines[] = [];
  for (const { path, before, code } of bodies) {
    const lines = countLines(code);
    files.push({ path, first: line + 2, last: line + 1 + lines });
    texts.push(before, code, "}},");
    line += lines + 2;
  }
  texts.push(`}, ${JSON.stringify(`${version.name}@${version.version}`)});`);
  texts.push("export const $namespace = (path, node) => namespaceOf($get(path), node);", "");
  return { js: texts.join("\n"), files };
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

function fileHead(path: string, { kind, node }: LinkedFile, targets: readonly string[]): string {
  const flags = `${kind === "esm" ? "esm: true, " : ""}${node ? "node: true, " : ""}to: {${targets.join(", ")}}`;
  // An ES module may have names of its own like these of Node.
  const parameters = kind === "esm" ? "$module, exports, require, $import" : "module, exports, require, $import";
  const names = kind === "esm" ? "" : `const __filename = ${JSON.stringify(`/${path}`)}, __dirname = "/";`;
  return `[${JSON.stringify(path)}]: {${flags}, run(${parameters}) {${names}`;
}

/** The imports at the top of the module, each once. */
interface Head {
  add(statement: (name: string) => string, of: string): string;
  lines(): readonly string[];
}

function createHead(name: string, { runtime }: EmitContext): Head {
  const known = new Map<string, string>();
  const lines = [
    `import { absent, builtin, link, namespaceOf, nothing } from ${JSON.stringify(relativeName(name, runtime))};`,
  ];
  return {
    add(statement, of) {
      const found = known.get(of) ?? `$${known.size}`;
      if (!known.has(of)) lines.push(statement(found));
      known.set(of, found);
      return found;
    },
    lines: () => lines,
  };
}

function targetText(id: string, target: ImportTarget, context: EmitContext, head: Head): string {
  switch (target.to) {
    case "file":
      return JSON.stringify(target.path);
    case "nothing":
      return "nothing";
    case "builtin":
      return builtinText(target.name, context, head);
    case "package":
      return packageText(id, target, context, head);
  }
}

function builtinText(name: string, { platform }: EmitContext, head: Head): string {
  if (platform === "browser") return `() => absent(${JSON.stringify(name)})`;
  const found = head.add((local) => `import * as ${local} from ${JSON.stringify(name)};`, name);
  return `() => builtin(${found})`;
}

function packageText(
  id: string,
  { specifier, kind }: Extract<ImportTarget, { to: "package" }>,
  context: EmitContext,
  head: Head,
): string {
  const other = context.gathered.follow(id, specifier, kind);
  if (!other) {
    const builtin = builtinOf(specifier);
    return builtin === undefined ? "undefined" : builtinText(builtin, context, head);
  }
  if (other.path === "") return "nothing";
  const path = JSON.stringify(other.path);
  if (other.id === id) return path;
  const from = relativeName(context.names.get(id) ?? "", context.names.get(other.id) ?? "");
  const found = head.add((local) => `import { $get as ${local} } from ${JSON.stringify(from)};`, from);
  return `() => ${found}(${path})`;
}

function assetCode(
  path: string,
  { unit }: GatheredPackage,
  name: string,
  { platform }: EmitContext,
  head: Head,
  assets: Map<string, ModuleContent>,
): string {
  const bytes = Uint8Array.from(atob(unit.assets[path] ?? ""), (char) => char.charCodeAt(0)).buffer;
  const asset = `${name.replace(/\.js$/, "")}/${path}`;
  assets.set(asset, path.endsWith(".wasm") && platform === "worker" ? { wasm: bytes } : { data: bytes });
  const from = JSON.stringify(relativeName(name, asset));
  if (platform === "browser") return `module.exports = new URL(${from}, import.meta.url).href;`;
  return `module.exports = ${head.add((local) => `import ${local} from ${from};`, asset)};`;
}
