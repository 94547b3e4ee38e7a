import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

export const root: string = join(import.meta.dirname, "..", "..");

const skipped = new Set(["node_modules", "dist", ".cache", ".wrangler", ".git"]);

/** The files below a folder of the repository, as paths from its root with forward slashes, sorted. */
export function listFiles(folder: string, pattern: RegExp): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => pattern.test(path) && !path.split("/").some((part) => skipped.has(part)))
    .toSorted();
}

export function readText(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** Undefined where the file is absent. */
export function readTextIfAny(path: string): string | undefined {
  return existsSync(join(root, path)) ? readText(path) : undefined;
}
