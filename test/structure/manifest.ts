import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readText, readTextIfAny, root } from "./list-files.ts";

/** The parts of a package.json that the checks look at. */
export interface Manifest {
  scripts?: Record<string, string>;
  exports?: Record<string, string | Record<string, string>>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readText(join(folder, "package.json"))) as Manifest;
}

/** The names of the folders in packages/ that are packages. */
export function listPackages(): string[] {
  return readdirSync(join(root, "packages")).filter((name) => readTextIfAny(`packages/${name}/package.json`));
}

/** The source files that a package exports, as paths from the root. */
export function entryFiles(name: string): Set<string> {
  const targets = Object.values(readManifest(`packages/${name}`).exports ?? {});
  const paths = targets.flatMap((target) => (typeof target === "string" ? [target] : Object.values(target)));
  return new Set(paths.filter((path) => path.startsWith("./src/")).map((path) => `packages/${name}/${path.slice(2)}`));
}
