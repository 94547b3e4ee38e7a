import type { FileSystem } from "@tenrec/protocol";
import { readBytesIfAny } from "../graph/read-if-any.ts";
import type { ReadModuleOptions, SourceModule } from "../graph/source-module.ts";
import type { ImportSite, Script } from "../graph/transform-script.ts";
import type { Compiled, CompileInput } from "./compile/page-compiler.ts";
import { clientKind, clientName, splitQuery } from "./client-path.ts";
import { scopeClasses } from "./css-module.ts";
import { componentMapComment } from "./component-map.ts";
import { lineMapComment } from "./line-map.ts";
import { beyondBrowser } from "./unsupported-client.ts";

export interface ClientReadOptions extends ReadModuleOptions {
  readonly root: string;
  /** What `import.meta.env` is. */
  readonly env: Readonly<Record<string, unknown>>;
  /** Translates components; absent where that cannot be done. */
  readonly compile?: (language: "vue" | "svelte", input: CompileInput) => Promise<Compiled>;
  /** Module scripts of the page itself, by path. */
  readonly inline: ReadonlyMap<string, string>;
}

/** Reads a file, with a query or without, as a module of a browser. */
export async function readClientModule(
  fs: FileSystem,
  path: string,
  options: ClientReadOptions,
): Promise<SourceModule> {
  const { file } = splitQuery(path);
  const inline = options.inline.get(path);
  const bytes = inline === undefined ? await readBytesIfAny(fs, file) : new TextEncoder().encode(inline);
  if (!bytes) return { kind: "problem", hash: "", problem: { message: "the file is not there any more" } };
  const hash = await options.hashOf(bytes);
  const kind = clientKind(path);
  const text = (): string => new TextDecoder().decode(bytes);
  const problem = beyondBrowser(file, kind, text, options.compile !== undefined);
  if (problem) return { kind: "problem", hash, problem };
  const name = clientName(options.root, path);
  switch (kind) {
    case "script":
      return scriptModule(path, name, text(), hash, options, lineMapComment);
    case "vue":
    case "svelte":
      return componentModule(kind, path, name, text(), text(), hash, options);
    case "svelte-module": {
      // Svelte's own compiler reads types in components only. The lines stay.
      const plain = await options.transform(path, text(), hash);
      if (!("code" in plain)) return { kind: "problem", hash, problem: plain };
      return componentModule("svelte", path, name, text(), plain.code, hash, options);
    }
    case "json":
      return jsonModule(text(), hash);
    case "style":
      return valueModule(hash, `${loadStyle(file)}\nexport default undefined;`);
    case "module-style": {
      const { classes } = scopeClasses(text(), hash.slice(0, 8));
      return valueModule(hash, `${loadStyle(file)}\n${exportsOf(classes)}`);
    }
    case "text":
      return valueModule(hash, `export default ${JSON.stringify(text())};`);
    default:
      return valueModule(hash, `export default new URL(${JSON.stringify(besides(file))}, import.meta.url).href;`);
  }
}

async function scriptModule(
  path: string,
  name: string,
  text: string,
  hash: string,
  options: ClientReadOptions,
  mapOf: typeof lineMapComment,
): Promise<SourceModule> {
  const script = await options.transform(path, text, hash);
  if (!("code" in script)) return { kind: "problem", hash, problem: script };
  if (script.format === "cjs") {
    const message = "a browser takes ES modules only: write import and export in place of require and module.exports";
    return { kind: "problem", hash, problem: { message } };
  }
  const { code } = script;
  const head = code.includes("import.meta.env") ? `import.meta.env = ${JSON.stringify(options.env)};` : "";
  const all = [...script.sites, ...workerSites(code)].toSorted((a, b) => a.start - b.start);
  const sites = all.map((site) => ({ ...site, start: site.start + head.length, end: site.end + head.length }));
  const map = code === text ? "" : mapOf(name, text, code);
  return { kind: "script", hash, script: { ...script, code: `${head}${code}${map}`, sites } };
}

async function componentModule(
  language: "vue" | "svelte",
  path: string,
  name: string,
  written: string,
  source: string,
  hash: string,
  options: ClientReadOptions,
): Promise<SourceModule> {
  const id = (await options.hashOf(new TextEncoder().encode(name))).slice(0, 8);
  const made = await options.compile?.(language, { filename: name, source, id });
  if (!made) return { kind: "problem", hash, problem: { message: "it cannot be translated" } };
  if ("problem" in made) return { kind: "problem", hash, problem: made.problem };
  const { code, styles, lang, maps = [] } = made;
  const all = styles.length === 0 ? code : `${code}\n${addStyles(styles)}`;
  const script = await scriptModule(`${path}.${lang}`, name, all, hash, options, () => "");
  if (script.kind !== "script") return script;
  const map = componentMapComment(name, written, maps);
  return { ...script, script: { ...script.script, code: script.script.code + map } };
}

function addStyles(styles: readonly string[]): string {
  const css = JSON.stringify(styles.join("\n"));
  return `document.head.append(Object.assign(document.createElement("style"), { textContent: ${css} }));`;
}

const WORKER = /new URL\(\s*(["'])(\.{1,2}\/[^"'\n]+?\.[cm]?[jt]sx?)\1\s*,\s*import\.meta\.url/g;

/** Scripts that are named by their address, as those of workers are. */
function workerSites(code: string): ImportSite[] {
  return [...code.matchAll(WORKER)].map((match) => {
    const specifier = match[2] ?? "";
    const start = match.index + match[0].indexOf(specifier);
    return { specifier, start, end: start + specifier.length, quoted: false, names: [] };
  });
}

function valueModule(hash: string, code: string): SourceModule {
  const script: Script = { code, format: "esm", sites: [] };
  return { kind: "script", hash, script };
}

function jsonModule(text: string, hash: string): SourceModule {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return valueModule(hash, isObject ? exportsOf(value) : `export default ${JSON.stringify(value)};`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: "problem", hash, problem: { message: `not valid JSON: ${reason}` } };
  }
}

/** A module with this default, and with those of its fields that have the name of a variable. */
function exportsOf(value: object): string {
  const names = Object.keys(value).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== "default");
  const list = names.map((name, index) => `v${index} as ${name}`).join(", ");
  const values = names.map((name, index) => `const v${index} = all[${JSON.stringify(name)}];`).join(" ");
  return `const all = ${JSON.stringify(value)}; ${values}\nexport { ${list} };\nexport default all;`;
}

/** Waits for the style, so that nothing is drawn without it. */
function loadStyle(file: string): string {
  return `const link = Object.assign(document.createElement("link"), { rel: "stylesheet" });
link.href = new URL(${JSON.stringify(besides(file))}, import.meta.url).href;
await new Promise((done) => { link.onload = link.onerror = done; document.head.append(link); });`;
}

/** A file from the module that stands for it. */
function besides(file: string): string {
  return `./${encodeURIComponent(file.slice(file.lastIndexOf("/") + 1))}`;
}
