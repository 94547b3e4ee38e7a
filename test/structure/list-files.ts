import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

export const root: string = join(import.meta.dirname, "..", "..");

const skipped = new Set(["node_modules", "dist", ".cache", ".wrangler", ".git"]);

/** The files below a folder of the repository, as paths from its root with forward slashes, sorted. */
export function listFiles(folder: string, pattern: RegExp): string[] {
  if (!existsSync(join(root, folder))) return [];
  return filesIn(join(root, folder))
    .map((path) => relative(root, path).split(sep).join("/"))
    .filter((path) => pattern.test(path))
    .toSorted();
}

/** Goes into no folder that is skipped: a recursive `readdir` would follow the links in node_modules. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : entry.isFile() ? [path] : [];
  });
}

export function readText(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** Undefined where the file is absent. */
export function readTextIfAny(path: string): string | undefined {
  return existsSync(join(root, path)) ? readText(path) : undefined;
}
