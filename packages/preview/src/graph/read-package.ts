import type { FileSystem } from "@tenrec/protocol";
import type { DependencyRequest } from "../deps/dependencies.ts";
import { readTextIfAny } from "./read-if-any.ts";

/** The `package.json` of a project and the lockfile beside it. */
export interface PackageFile {
  readonly text: string | undefined;
  readonly lockfile: { readonly name: string; readonly text: string } | undefined;
  /** The text of `.npmrc`. */
  readonly npmrc: string | undefined;
  /** Its `imports`: `#name` or `#name/*` to a path. */
  readonly imports: Readonly<Record<string, string>>;
}

/** Of several lockfiles, the first of these counts. */
export const LOCKFILES: readonly string[] = [
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "yarn.lock",
  "bun.lock",
];

export const NPMRC = ".npmrc";

export async function readPackage(fs: FileSystem, root: string): Promise<PackageFile> {
  const text = await readTextIfAny(fs, fs.resolvePath(root, "package.json"));
  const npmrc = await readTextIfAny(fs, fs.resolvePath(root, NPMRC));
  return { text, lockfile: await readLockfile(fs, root), npmrc, imports: importsOf(text) };
}

/** What of it says which versions of packages there are, and where they come from. */
export function versionsIn({
  text,
  lockfile,
  npmrc,
}: PackageFile): Pick<DependencyRequest, "manifest" | "lockfile" | "npmrc"> {
  return { manifest: text, lockfile, ...(npmrc === undefined ? {} : { npmrc }) };
}

async function readLockfile(fs: FileSystem, root: string): Promise<PackageFile["lockfile"]> {
  for (const name of LOCKFILES) {
    const text = await readTextIfAny(fs, fs.resolvePath(root, name));
    if (text !== undefined) return { name, text };
  }
  return undefined;
}

function importsOf(text: string | undefined): Record<string, string> {
  const value = text === undefined ? undefined : parseJson(text);
  if (!isObject(value) || !isObject(value["imports"])) return {};
  const entries = Object.entries(value["imports"]).map(([name, target]) => [name, pick(target)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1]?.startsWith("./") === true));
}

/** The first target whose conditions a Worker meets. */
function pick(target: unknown): string | undefined {
  if (typeof target === "string") return target;
  if (!isObject(target)) return undefined;
  for (const [condition, value] of Object.entries(target)) {
    if (["workerd", "worker", "browser", "import", "module", "default"].includes(condition)) return pick(value);
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
