import { type Resolution, type ResolveContext, resolveImport } from "../graph/resolve-import.ts";
import { splitQuery } from "./client-path.ts";

/**
 * Finds what a specifier means in a script of a browser: a slash in front is the root of the project, or its folder `public`,
 * and a query stays with a file.
 */
export async function resolveClient(context: ResolveContext, specifier: string, importer: string): Promise<Resolution> {
  // A browser fetches these itself.
  if (/^(?:https?:)?\/\//.test(specifier) || /^(?:data|blob):/.test(specifier))
    return { kind: "builtin", name: specifier };
  const { file, query } = splitQuery(specifier);
  const withQuery = (path: string): Resolution => ({ kind: "file", path: query === "" ? path : `${path}?${query}` });
  const { view, root } = context;
  if (file.startsWith("/")) {
    for (const folder of [root, view.fs.resolvePath(root, "public")]) {
      const path = view.fs.resolvePath(folder, `.${file}`);
      const found = await resolveImport(context, path, importer);
      if (found.kind === "file") return withQuery(found.path);
    }
    return { kind: "missing" };
  }
  const found = await resolveImport(context, file, splitQuery(importer).file);
  if (found.kind === "file") return withQuery(found.path);
  // What is a module of Node may be a package by that name.
  if (found.kind === "builtin" && !file.includes(":")) return { kind: "package", specifier: file };
  return found;
}
