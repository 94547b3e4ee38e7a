import { isBuiltin } from "./builtins.ts";
import type { TreeView } from "./tree-view.ts";
import type { TsConfig } from "./read-tsconfig.ts";

export type Resolution =
  | { readonly kind: "file"; readonly path: string }
  /** A module of the runtime, under the name that it has there. */
  | { readonly kind: "builtin"; readonly name: string }
  /** To be found in npm, or nowhere. */
  | { readonly kind: "package"; readonly specifier: string }
  | { readonly kind: "missing" };

export interface ResolveContext {
  readonly view: TreeView;
  readonly root: string;
  readonly tsconfig: TsConfig;
  readonly alias: Readonly<Record<string, string>>;
  /** The `imports` of `package.json`: `#name` or `#name/*` to a path below the root. */
  readonly imports: Readonly<Record<string, string>>;
}

const EXTENSIONS = [".ts", ".tsx", ".mts", ".js", ".jsx", ".mjs", ".cts", ".cjs", ".json"];

/** What TypeScript lets people write for a file that is another one until it is compiled. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx"],
  ".jsx": [".tsx"],
  ".mjs": [".mts"],
  ".cjs": [".cts"],
};

/** Finds what `specifier` means in the module at `importer`. */
export async function resolveImport(context: ResolveContext, specifier: string, importer: string): Promise<Resolution> {
  const alias = aliasOf(context.alias, specifier);
  const asked = alias ?? specifier;
  const { fs } = context.view;
  if (/^\.{0,2}\//.test(asked) || asked === "." || asked === "..") {
    // What the configuration names is named from where it is.
    const folder = alias === undefined ? folderOf(importer) : context.root;
    const base = asked.startsWith("/") ? asked : fs.resolvePath(folder, asked);
    const path = await findFile(context.view, base.replace(/\?module$/, ""));
    return path === undefined ? { kind: "missing" } : { kind: "file", path };
  }
  if (/^(node|cloudflare|workerd):/.test(asked)) return { kind: "builtin", name: asked };
  const path = await findMapped(context, asked);
  if (path !== undefined) return { kind: "file", path };
  if (asked.startsWith("#")) return { kind: "missing" };
  if (isBuiltin(asked)) return { kind: "builtin", name: `node:${asked}` };
  return { kind: "package", specifier: asked };
}

/** What an alias makes of a specifier: of all of it, or of the first parts of its path. */
function aliasOf(aliases: ResolveContext["alias"], specifier: string): string | undefined {
  for (let end = specifier.length; end > 0; end = specifier.lastIndexOf("/", end - 1)) {
    const name = specifier.slice(0, end);
    if (Object.hasOwn(aliases, name)) return aliases[name] + specifier.slice(end);
  }
  return undefined;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

async function findMapped(
  { view, root, tsconfig, imports }: ResolveContext,
  specifier: string,
): Promise<string | undefined> {
  const own = Object.entries(imports).map(([pattern, target]) => ({
    pattern,
    targets: [view.fs.resolvePath(root, target)],
  }));
  const patterns = [...own, ...tsconfig.paths].flatMap((entry) => {
    const rest = matchPattern(entry.pattern, specifier);
    return rest === undefined ? [] : [{ ...entry, rest }];
  });
  // The longest text before the star wins, and a pattern without one before all.
  const sorted = patterns.toSorted((a, b) => specificity(b.pattern) - specificity(a.pattern));
  for (const { targets, rest } of sorted) {
    for (const target of targets) {
      const path = await findFile(
        view,
        target.replace("*", () => rest),
      );
      if (path !== undefined) return path;
    }
  }
  return tsconfig.baseUrl === undefined ? undefined : findFile(view, view.fs.resolvePath(tsconfig.baseUrl, specifier));
}

function specificity(pattern: string): number {
  const star = pattern.indexOf("*");
  return star === -1 ? Number.MAX_SAFE_INTEGER : star;
}

/** What stands for the star; undefined when the pattern does not match. */
function matchPattern(pattern: string, specifier: string): string | undefined {
  const star = pattern.indexOf("*");
  if (star === -1) return pattern === specifier ? "" : undefined;
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
  const fits =
    specifier.length >= before.length + after.length && specifier.startsWith(before) && specifier.endsWith(after);
  return fits ? specifier.slice(before.length, specifier.length - after.length) : undefined;
}

/** The file that a path without its extension, or of a directory, stands for. */
async function findFile(view: TreeView, base: string): Promise<string | undefined> {
  if ((await view.kind(base)) === "file") return base;
  const written = /\.[cm]?jsx?$/.exec(base)?.[0] ?? "";
  for (const extension of WRITTEN[written] ?? []) {
    const path = base.slice(0, -written.length) + extension;
    if ((await view.kind(path)) === "file") return path;
  }
  for (const extension of EXTENSIONS) {
    if ((await view.kind(base + extension)) === "file") return base + extension;
  }
  if ((await view.kind(base)) !== "directory") return undefined;
  const inside = base === "/" ? "/index" : `${base}/index`;
  for (const extension of EXTENSIONS) {
    if ((await view.kind(inside + extension)) === "file") return inside + extension;
  }
  return undefined;
}
